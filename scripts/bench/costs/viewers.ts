import { setTimeout as delay } from 'node:timers/promises';
import { gather } from '../audience.js';
import type { Cost, Subject } from './cost.js';

const viewers = 1_000;
const changes = 8;
/** More, since one costs less than what the idle process varies by. */
const unseenChanges = 40;
const idleSeconds = 16;
/** So that no change waits for the service's pauses between broadcasts and queries of the board. */
const pauseMs = 600;

/** A change without viewers, a change for each of many, and a minute in which nothing changes. */
export async function costsOfViewers({
  service,
  database,
  meter,
  progress,
}: Subject): Promise<Cost[]> {
  progress('changes');
  // Three days, so that the studio would be open on one of them: viewers see the change.
  let isClosed = false;
  const change = async (): Promise<void> => {
    isClosed = !isClosed;
    await database.query(
      isClosed
        ? 'insert into closures (from_date, to_date) values (current_date + 20, current_date + 22)'
        : 'delete from closures',
    );
    await database.query(
      `insert into events (type, occurred_at, data) values ('calendar.changed', booking_now(), '{}')`,
    );
  };
  const ofChange = await meter.measure(async () => {
    for (let count = 0; count < unseenChanges; count += 1) {
      await change();
      await delay(pauseMs);
    }
    return unseenChanges;
  });

  progress(`${viewers} viewers`);
  const audience = await gather(service, '/api/public/events', viewers);
  let began = audience.bytesReceived();
  const heard = await meter.measure(async () => {
    began = audience.bytesReceived();
    for (let count = 0; count < changes; count += 1) {
      await audience.timeUntilHeard(() => void change());
      await delay(pauseMs);
    }
    return changes * viewers;
  });
  const bytesOfChange = (audience.bytesReceived() - began) / (changes * viewers);
  const minutes = (viewers * idleSeconds) / 60;
  const idle = await meter.measure(async () => {
    began = audience.bytesReceived();
    await delay(idleSeconds * 1000);
    return minutes;
  });
  const bytesOfMinute = (audience.bytesReceived() - began) / minutes;
  audience.leave();
  return [
    { what: 'change: the board, the dispatch of its event', ...ofChange, bytes: null },
    { what: 'change, for each live viewer', ...heard, bytes: { in: 0, out: bytesOfChange } },
    { what: 'minute of a live viewer', ...idle, bytes: { in: 0, out: bytesOfMinute } },
  ];
}
