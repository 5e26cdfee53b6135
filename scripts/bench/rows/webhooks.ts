import type pg from 'pg';
import { requestsPerSubscription, webhookCaps } from '../../../src/config/limits.js';
import { withDatabase } from '../database.js';
import {
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
import { measurePairs, percentile, type Measurement, type Row } from '../row.js';

const singleEvents = 300;
const warmUps = 30;
const rounds = 5;
const manySubscriptions = 10_000;
const aim = 0.6;

/** The service's own limit. */
const connectionsPerOrigin = webhookCaps.perDomain * requestsPerSubscription;

/**
 * Webhooks to a fast receiver in its own process: the time from a commit to the first byte, deliveries
 * per second compared with bare undici requests, and one event with 10,000 subscribers.
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
  return [
    await timeToFirstByte(),
    ...(await deliveriesPerSecond()),
    await oneEventToManySubscribers(),
  ];

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
    return {
      what: 'webhooks, from the commit to the first byte at the receiver',
      ours: `median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      baseline: '–',
      ratio: null,
      aim: '–',
      reached: null,
    };
  }

  async function deliveriesPerSecond(): Promise<Row[]> {
    const rows: Row[] = [];
    const ours = async () => {
      const { arrivals } = await receiver.expect(eventsPerRound);
      await recordEvents(database, eventsPerRound);
      return rate(await arrivals);
    };
    // A subscription has at most two requests at once.
    for (const atOnce of [1, 2]) {
      const loops = atOnce === 1 ? 'one loop' : `${atOnce} loops at once`;
      progress(`${eventsPerRound} events, against ${loops}`);
      const measured = await measurePairs(rounds, ours, () =>
        postBare(receiver, eventsPerRound, atOnce),
      );
      rows.push({
        what: `webhook deliveries to one fast receiver, against ${loops}`,
        ours: `${Math.round(measured.ours)}/s`,
        baseline: `${Math.round(measured.baseline)}/s, bare undici POSTs`,
        ratio: measured.ratio,
        spread: measured.spread,
        aim: atOnce === 1 ? `≥ ${aim}` : '–',
        reached: atOnce > 1 ? null : measured.ratio >= aim,
      });
    }
    return rows;
  }

  async function oneEventToManySubscribers(): Promise<Row> {
    progress(`one event, ${manySubscriptions} subscriptions`);
    await copySubscription(database, manySubscriptions - 1);
    const measured = await measurePairs(
      rounds,
      async () => {
        const { arrivals } = await receiver.expect(manySubscriptions);
        const began = now();
        await recordEvents(database, 1);
        return ((await arrivals).at(-1) ?? NaN) - began;
      },
      async () => {
        const began = now();
        await postBare(receiver, manySubscriptions, connectionsPerOrigin);
        return now() - began;
      },
    );
    return {
      what: `webhooks, one event to ${manySubscriptions} subscriptions, the last of them`,
      ours: `${Math.round(measured.ours)} ms`,
      baseline: `${Math.round(measured.baseline)} ms, bare undici POSTs`,
      ratio: measured.ratio,
      spread: measured.spread,
      aim: '–',
      reached: null,
    };
  }
}

/** Copies the subscription, beyond the caps of the HTTP interface. */
async function copySubscription(database: pg.Client, count: number): Promise<void> {
  await database.query(
    `insert into webhook_subscriptions
       (url, target_host, events, signing_secret_sealed, manage_token_hash, caller_hash, created_at)
     select url, target_host, events, signing_secret_sealed, int8send(n), '', created_at
     from webhook_subscriptions, generate_series(1, $1::bigint) as n`,
    [count],
  );
  await database.query('vacuum analyze webhook_subscriptions');
}
