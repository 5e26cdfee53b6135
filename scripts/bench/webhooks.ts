/**
 * What webhooks cost, on an embedded PostgreSQL with its real settings, and a receiver in a process
 * of its own on loopback:
 *
 *     npx tsx scripts/bench/webhooks.ts
 *
 * - time from the commit of a hold to the first byte of its request at the receiver
 * - deliveries per second to one fast receiver, against bare undici POSTs of the same body to it
 * - what 10,000 subscriptions cost one event
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { loadConfig } from '../../src/config.js';
import type { Context } from '../../src/context.js';
import { placeHold } from '../../src/domain/holds.js';
import { createLogger } from '../../src/log.js';
import { sealSigningSecret } from '../../src/security/signing-secret.js';
import { startService } from '../../src/service.js';
import { callerNumber, holdRequest, someOpenSlots } from '../../test/support/requests.js';

const environment = {
  HOST: '127.0.0.1',
  PORT: '39217',
  LOG_LEVEL: 'warn',
  MAX_PENDING_HOLDS: '100000',
  MAX_PENDING_HOLDS_PER_CALLER: '100000',
};

interface Receiver {
  url: string;
  /** Resolves with the arrivals (milliseconds on the machine's clock) of the next `count` requests. */
  expect(count: number): Promise<{ arrivals: Promise<number[]> }>;
  stop(): void;
}

async function startReceiver(): Promise<Receiver> {
  const child = fork(new URL('./webhook-receiver.ts', import.meta.url), {
    execArgv: ['--import', 'tsx'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async expect(count) {
      child.send(count);
      await once(child, 'message');
      const arrivals = once(child, 'message').then(
        ([message]) => (message as { arrivals: number[] }).arrivals,
      );
      return { arrivals };
    },
    stop: () => child.kill(),
  };
}

/** Milliseconds on the machine's monotonic clock, which both processes read. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Live subscriptions to one address, past the caps of the interface. */
async function subscribeMany({ pool, keyring }: Context, url: string, count: number) {
  const sealed = sealSigningSecret(keyring, `whsec_${Buffer.alloc(32, 7).toString('base64')}`);
  await pool.query('delete from webhook_deliveries');
  await pool.query('delete from webhook_subscriptions');
  await pool.query(
    `insert into webhook_subscriptions
       (url, target_host, events, signing_secret_sealed, manage_token_hash, caller_hash, created_at)
     select $1, '127.0.0.1', '{hold.created}', $2, int8send(n), '', booking_now()
     from generate_series(1, $3::bigint) as n`,
    [url, sealed, count],
  );
  await pool.query('vacuum analyze webhook_subscriptions');
}

/** Event rows as a hold makes them, announced in one commit. */
async function recordEvents({ pool }: Context, count: number): Promise<void> {
  await pool.query(
    `insert into events (type, booking_id, occurred_at, data)
     select type, booking_id, booking_now(), data
     from (select * from events where type = 'hold.created' limit 1) as one,
       generate_series(1, $1)`,
    [count],
  );
}

async function hold(context: Context): Promise<void> {
  const [slot] = await someOpenSlots(context, 1);
  if (slot === undefined) throw new Error('no slot is open');
  await placeHold(context, callerNumber(1), holdRequest(slot), null);
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

async function measureLatency(context: Context, receiver: Receiver): Promise<void> {
  await subscribeMany(context, receiver.url, 1);
  const latencies: number[] = [];
  for (let count = 0; count < 220; count += 1) {
    const { arrivals } = await receiver.expect(1);
    await hold(context);
    const committedAt = now();
    const [arrivedAt = NaN] = await arrivals;
    // The first ones warm everything up.
    if (count >= 20) latencies.push(arrivedAt - committedAt);
  }
  const [median, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  console.log(`commit to first byte: median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
}

async function measureBare(receiver: Receiver, count: number, atOnce: number): Promise<number> {
  const body = JSON.stringify({ type: 'hold.created', data: 'x'.repeat(450) });
  const agent = new Agent({ connections: atOnce });
  const { origin, pathname: path } = new URL(receiver.url);
  const { arrivals } = await receiver.expect(count);
  let left = count;
  const post = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const answer = await agent.request({
        origin,
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await answer.body.dump();
    }
  };
  const began = now();
  await Promise.all(Array.from({ length: atOnce }, post));
  const perSecond = (count * 1000) / (((await arrivals).at(-1) ?? NaN) - began);
  await agent.close();
  return perSecond;
}

async function measureThroughput(
  context: Context,
  receiver: Receiver,
  subscriptions: number,
  events: number,
): Promise<number> {
  await subscribeMany(context, receiver.url, subscriptions);
  const { arrivals } = await receiver.expect(subscriptions * events);
  const began = now();
  await recordEvents(context, events);
  const times = await arrivals;
  return (times.length * 1000) / ((times.at(-1) ?? NaN) - began);
}

async function measureMany(context: Context, receiver: Receiver, count: number): Promise<void> {
  await subscribeMany(context, receiver.url, count);
  const { arrivals } = await receiver.expect(count);
  const cpuBefore = process.cpuUsage();
  await hold(context);
  const committedAt = now();
  const times = (await arrivals).map((time) => time - committedAt);
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuSeconds = (user + system) / 1e6;
  const [first, median, last] = [times[0] ?? NaN, quantile(times, 0.5), times.at(-1) ?? NaN];
  console.log(
    `${count} subscriptions, one event: first ${(first / 1000).toFixed(2)} s, ` +
      `median ${(median / 1000).toFixed(2)} s, last ${(last / 1000).toFixed(2)} s ` +
      `(${Math.round((count * 1000) / last)}/s), ${cpuSeconds.toFixed(1)} s of CPU in this process`,
  );
}

const dataDir = await mkdtemp(join(tmpdir(), 'webhook-bench-'));
const config = loadConfig({ ...environment, DATA_DIR: dataDir });
const service = await startService(config, createLogger('warn'), () => process.exit(1));
const receiver = await startReceiver();
try {
  const { context } = service;
  await measureLatency(context, receiver);
  await measureBare(receiver, 2_000, 2);
  for (const [subscriptions, events, atOnce] of [
    [1, 5_000, 2],
    [20, 500, 40],
  ] as const) {
    const bare = await measureBare(receiver, 10_000, atOnce);
    const ours = await measureThroughput(context, receiver, subscriptions, events);
    console.log(
      `${subscriptions} subscription(s), ${events} events: ${Math.round(ours)} deliveries/s; ` +
        `bare undici, ${atOnce} at once: ${Math.round(bare)}/s (${(ours / bare).toFixed(2)} of it)`,
    );
  }
  for (const count of [1_000, 10_000]) await measureMany(context, receiver, count);
} finally {
  receiver.stop();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
