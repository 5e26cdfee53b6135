import { once } from 'node:events';
import type pg from 'pg';
import { Agent } from 'undici';
import { postHold, postWebhook } from '../../../test/support/http-requests.js';
import { withDatabase } from '../database.js';
import {
  ask,
  startProgram,
  startService,
  type Running,
  type RunningService,
} from '../processes.js';
import {
  comparedRow,
  measurePairs,
  percentile,
  plainRow,
  type Measurement,
  type Probe,
  type Row,
} from '../row.js';

const rounds = 5;
export const eventsPerRound = 5_000;
const singleEvents = 300;
const warmUps = 30;
const subscriptions = 10_000;

/**
 * Webhooks to a fast receiver in its own process: the time from a commit to the first byte, and
 * deliveries per second, of many events and of one to many subscriptions, compared with bare undici
 * requests.
 */
export const webhooks: Measurement = async ({ step, line }) => {
  const service = await startService();
  const receiver = await startReceiver();
  await withDatabase(service, async (database) => {
    await prepare(service, receiver, database);
    step(`${singleEvents} events, one by one`);
    line(await timeToFirstByte(receiver, database));
  });
  step(`${eventsPerRound} events, against one loop`);
  const ours = () => deliveriesPerSecond(service, receiver);
  const measured = await measurePairs(rounds, ours, () => postBare(receiver, eventsPerRound));
  const what = 'webhook deliveries to one fast receiver, against one loop';
  line(comparedRow(what, 'deliveries/s', 'bare undici POSTs', measured, { least: 0.6 }));
  step(`one event to ${subscriptions} subscriptions, against one loop`);
  line(await withDatabase(service, (database) => timeToSubscriptions(receiver, database)));
};

async function timeToFirstByte(receiver: Receiver, database: pg.Client): Promise<Row> {
  const latencies: number[] = [];
  for (let count = -warmUps; count < singleEvents; count += 1) {
    const { arrivals } = await receiver.expect(1);
    await recordEvents(database, 1);
    const committedAt = now();
    const [arrivedAt = NaN] = await arrivals;
    if (count >= 0) latencies.push(arrivedAt - committedAt);
  }
  const [median, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  return plainRow(
    'webhooks, from the commit to the first byte at the receiver',
    `median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  );
}

async function timeToSubscriptions(receiver: Receiver, database: pg.Client): Promise<Row> {
  await copySubscription(database, subscriptions);
  const measured = await measurePairs(
    rounds,
    async () => {
      const { arrivals } = await receiver.expect(subscriptions);
      await recordEvents(database, 1);
      const committedAt = now();
      return ((await arrivals).at(-1) ?? NaN) - committedAt;
    },
    async () => (subscriptions * 1000) / (await postBare(receiver, subscriptions)),
  );
  const what = `one event to ${subscriptions} subscriptions, from the commit to the last arrival`;
  return comparedRow(what, 'ms', 'as many bare undici POSTs', measured, { most: 3 });
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

/** Deliveries per second to one fast receiver, of events recorded in one commit. */
export async function webhookProbe(service: RunningService): Promise<Probe> {
  const receiver = await startReceiver();
  await withDatabase(service, (database) => prepare(service, receiver, database));
  return {
    what: 'webhook deliveries to one fast receiver',
    unit: 'deliveries/s',
    measure: () => deliveriesPerSecond(service, receiver),
  };
}

async function deliveriesPerSecond(service: RunningService, receiver: Receiver): Promise<number> {
  const { arrivals } = await receiver.expect(eventsPerRound);
  await withDatabase(service, (database) => recordEvents(database, eventsPerRound));
  return rate(await arrivals);
}

interface Receiver {
  url: string;
  /** `arrivals` resolves with the times (as of `now`) of the next `count` requests. */
  expect(count: number): Promise<{ arrivals: Promise<number[]> }>;
}

async function startReceiver(): Promise<Receiver> {
  const running = await startProgram('webhook-receiver.ts');
  return { url: `${running.url}/hook`, expect: (count) => expectArrivals(running, count) };
}

/** Of a program that says, on a count, that it expects as many, and then what has arrived. */
export async function expectArrivals<Arrival>(
  running: Running,
  count: number,
): Promise<{ arrivals: Promise<Arrival[]> }> {
  await ask(running, count);
  const arrivals = once(running.child, 'message').then(
    ([message]) => (message as { arrivals: Arrival[] }).arrivals,
  );
  return { arrivals };
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
  await postHold(service.url);
  await postWebhook(service.url, receiver.url, ['booking.confirmed']);
  // One that has had no delivery gets a few only.
  await database.query('update webhook_subscriptions set has_succeeded = true');
  await database.query(
    `create table example as
     select 'booking.confirmed' as type, booking_id, data from events
     where type = 'hold.created' order by position desc limit 1`,
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
async function postBare(receiver: Receiver, count: number): Promise<number> {
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
