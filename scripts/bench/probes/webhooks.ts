import { once } from 'node:events';
import type pg from 'pg';
import { Agent } from 'undici';
import { withDatabase } from '../database.js';
import { startBaseline, type Running, type RunningService } from '../processes.js';
import type { Probe } from '../row.js';
import { holdBody, openSlots } from '../slots.js';

export const eventsPerRound = 5_000;

/** Deliveries per second to one fast receiver, of events recorded in one commit. */
export async function webhookProbe(
  service: RunningService,
): Promise<Probe & { close: () => Promise<void> }> {
  const receiver = await startReceiver();
  await withDatabase(service, (database) => prepare(service, receiver, database));
  return {
    what: 'webhook deliveries to one fast receiver',
    unit: 'deliveries/s',
    measure: () =>
      withDatabase(service, async (database) => {
        const { arrivals } = await receiver.expect(eventsPerRound);
        await recordEvents(database, eventsPerRound);
        return rate(await arrivals);
      }),
    close: () => receiver.stop(),
  };
}

export interface Receiver {
  url: string;
  /** `arrivals` resolves with the times (as of `now`) of the next `count` requests. */
  expect(count: number): Promise<{ arrivals: Promise<number[]> }>;
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const running = await startBaseline('webhook-receiver.ts', []);
  const { child } = running;
  return {
    url: `${running.url}/hook`,
    async expect(count) {
      child.send(count);
      await once(child, 'message');
      const arrivals = once(child, 'message').then(
        ([message]) => (message as { arrivals: number[] }).arrivals,
      );
      return { arrivals };
    },
    stop: () => running.stop(),
  };
}

/** Milliseconds on the monotonic clock, which all processes of a machine share. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Arrivals per second, from the first to the last. */
export function rate(arrivals: number[]): number {
  const [first = NaN] = arrivals;
  return ((arrivals.length - 1) * 1000) / ((arrivals.at(-1) ?? NaN) - first);
}

/** Creates a subscription, and an event row to copy, of a type that adds no expiry job. */
export async function prepare(
  service: Pick<Running, 'url'>,
  receiver: Pick<Receiver, 'url'>,
  database: pg.Client,
): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const [slot] = await openSlots(service.url, 1);
  const posts = [
    { path: 'holds', body: holdBody(slot!) },
    {
      path: 'webhooks',
      body: JSON.stringify({ url: receiver.url, events: ['booking.confirmed'] }),
    },
  ];
  for (const { path, body } of posts) {
    const url = `${service.url}/api/public/${path}`;
    const { status } = await fetch(url, { method: 'POST', headers, body });
    if (status !== 201) throw new Error(`POST /${path} was answered with ${status}`);
  }
  await database.query(
    `create table example as
     select 'booking.confirmed' as type, booking_id, data from events
     where type = 'hold.created' order by position desc limit 1`,
  );
}

/** Copies the subscription, which has had a delivery, until there are `count`. */
export async function copySubscription(database: pg.Client, count: number): Promise<void> {
  await database.query(
    `insert into webhook_subscriptions
     select (jsonb_populate_record(subscription, jsonb_build_object(
       'id', gen_random_uuid(), 'manage_token_hash', sha256(number::text::bytea)))).*
     from webhook_subscriptions subscription, generate_series(2, $1) number`,
    [count],
  );
}

/** Records events in one commit. */
export async function recordEvents(database: pg.Client, count: number): Promise<void> {
  await database.query(
    `insert into events (type, booking_id, occurred_at, data)
     select type, booking_id, booking_now(), data from example, generate_series(1, $1)`,
    [count],
  );
}

/** Requests per second of the size of an event, from one sequential loop. */
export async function postBare(receiver: Receiver, count: number): Promise<number> {
  const body = JSON.stringify({ type: 'booking.confirmed', data: 'x'.repeat(450) });
  const agent = new Agent({ connections: 1 });
  const { origin, pathname: path } = new URL(receiver.url);
  const headers = { 'content-type': 'application/json' };
  const { arrivals } = await receiver.expect(count);
  for (let left = count; left > 0; left -= 1) {
    const answer = await agent.request({ origin, path, method: 'POST', headers, body });
    await answer.body.dump();
  }
  await agent.close();
  return rate(await arrivals);
}
