import { setTimeout as delay } from 'node:timers/promises';
import { gather } from '../audience.js';
import { change } from '../rows/stream.js';
import type { Cost, Subject } from './meter.js';

const viewers = 1_000;
const changes = 8;
const idleSeconds = 15;
/** So that no change waits for the service's pauses between broadcasts and queries of the board. */
const pauseMs = 600;

/** A change for each of many viewers, and a minute in which nothing changes. */
export async function costsOfViewers({ service, database, meter, step }: Subject): Promise<Cost[]> {
  step(`${viewers} viewers`);
  const audience = await gather(service, '/api/public/events', viewers);
  let began = audience.bytesReceived();
  const heard = await meter.measure(async () => {
    began = audience.bytesReceived();
    for (let count = 0; count < changes; count += 1) {
      await audience.timeUntilHeard(() => void change(database));
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
    { what: 'change, for each live viewer', ...heard, bytes: { in: 0, out: bytesOfChange } },
    { what: 'minute of a live viewer', ...idle, bytes: { in: 0, out: bytesOfMinute } },
  ];
}
