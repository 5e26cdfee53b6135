import type pg from 'pg';
import { withDatabase } from '../database.js';
import {
  copySubscription,
  eventsPerRound,
  now,
  postBare,
  prepare,
  rate,
  recordEvents,
  startReceiver,
  type Receiver,
} from '../probes/webhooks.js';
import { startService } from '../processes.js';
import {
  comparedRow,
  measurePairs,
  percentile,
  plainRow,
  type Measurement,
  type Row,
} from '../row.js';

const singleEvents = 300;
const warmUps = 30;
const rounds = 5;
const subscriptions = 10_000;

/**
 * Webhooks to a fast receiver in its own process: the time from a commit to the first byte, and
 * deliveries per second, of many events and of one to many subscriptions, compared with bare undici
 * requests.
 */
export const webhooks: Measurement = async (progress) => {
  const service = await startService({ ROLE: 'all' });
  const receiver = await startReceiver();
  try {
    return await withDatabase(service, async (database) => {
      await prepare(service, receiver, database);
      return measure(receiver, database, progress);
    });
  } finally {
    await receiver.stop();
    await service.stop();
  }
};

async function measure(
  receiver: Receiver,
  database: pg.Client,
  progress: (step: string) => void,
): Promise<Row[]> {
  return [await timeToFirstByte(), await deliveriesPerSecond(), await timeToEverySubscription()];

  async function timeToFirstByte(): Promise<Row> {
    const latencies: number[] = [];
    progress(`${singleEvents} events, one by one`);
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

  async function deliveriesPerSecond(): Promise<Row> {
    progress(`${eventsPerRound} events, against one loop`);
    const measured = await measurePairs(
      rounds,
      async () => {
        const { arrivals } = await receiver.expect(eventsPerRound);
        await recordEvents(database, eventsPerRound);
        return rate(await arrivals);
      },
      () => postBare(receiver, eventsPerRound),
    );
    const what = 'webhook deliveries to one fast receiver, against one loop';
    return comparedRow(what, 'deliveries/s', 'bare undici POSTs', measured, { least: 0.6 });
  }

  async function timeToEverySubscription(): Promise<Row> {
    progress(`one event to ${subscriptions} subscriptions, against one loop`);
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
}
