import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createApp } from '../../src/app.js';
import { closeContext, createContext, openContext } from '../../src/context.js';
import { agent, aMoment, charged } from '../support/agents.js';
import { redisMissing, redisUrl, startTestRedis } from '../support/redis.js';
import { someOpenSlots } from '../support/requests.js';
import { startTestService, uncapped, type TestService } from '../support/service.js';

/** Another process of the same service: its own memory, the same database and Redis. */
async function startSibling(t: Test, { context }: TestService) {
  const { config, log, connection, keyring } = context;
  const sibling = createContext({ config, log, connection, keyring });
  const app = await createApp(sibling);
  await openContext(sibling);
  t.teardown(async () => {
    await app.close();
    await closeContext(sibling);
  });
  return app;
}

void t.test('with Redis, two processes share one budget', { skip: redisMissing }, async (t) => {
  const service = await startTestService(t, { ...uncapped, REDIS_URL: await redisUrl(t) });
  const processes = [service.app, await startSibling(t, service)];
  const slots = await someOpenSlots(service.context, 6);
  const outcomes: string[] = [];
  for (const [index, slot] of slots.entries()) {
    outcomes.push(charged(await agent(processes[index % 2]!).hold(slot)));
  }
  t.strictSame(outcomes, [
    'holds 4/5',
    'holds 3/5',
    'holds 2/5',
    'holds 1/5',
    'holds 0/5',
    'holds 0/5',
  ]);
  const refused = await agent(processes[0]!).hold(slots[0]!);
  t.equal(refused.statusCode, 429);
});

void t.test(
  'a retry that arrives at two processes at once costs one write',
  { skip: redisMissing },
  async (t) => {
    const service = await startTestService(t, { ...uncapped, REDIS_URL: await redisUrl(t) });
    const processes = [service.app, await startSibling(t, service)];
    const [slot, other] = await someOpenSlots(service.context, 2);
    // Both have their connections to Redis then.
    for (const each of processes) await agent(each).read();
    const twins = await Promise.all(
      Array.from({ length: 10 }, (_, index) => agent(processes[index % 2]!).hold(slot!, 'twins')),
    );
    t.ok(twins.every(({ statusCode }) => statusCode === 201));
    t.equal(new Set(twins.map(({ body }) => body)).size, 1);
    t.equal(charged(await agent(service.app).hold(other!)), 'holds 3/5');
    t.equal(charged(await agent(service.app).read()), 'reads 48/60');
  },
);

/** A Redis that a test may stop. */
async function ownRedis(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'booking-redis-'));
  const redis = await startTestRedis(folder);
  if (redis === null) throw new Error('no redis-server');
  t.teardown(async () => {
    await redis.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return redis;
}

function said({ logLines }: TestService, text: string): number {
  return logLines.filter((line) => line.includes(text)).length;
}

void t.test(
  'while Redis is down, reads are served, writes are limited per process, and one warning is logged',
  { skip: redisMissing },
  async (t) => {
    const redis = await ownRedis(t);
    const service = await startTestService(t, { ...uncapped, REDIS_URL: redis.url });
    service.expectLog(/Redis does not answer/);
    const slots = await someOpenSlots(service.context, 8);
    const caller = agent(service.app);
    t.equal(charged(await caller.hold(slots.shift()!)), 'holds 4/5');
    await redis.stop();
    for (let read = 1; read <= 20; read += 1) t.equal((await caller.read()).statusCode, 200);
    const holds = [];
    for (const slot of slots) holds.push((await caller.hold(slot)).statusCode);
    t.strictSame(holds, [201, 201, 201, 201, 201, 429, 429]);
    t.equal(said(service, 'Redis does not answer'), 1);
  },
);

void t.test(
  'a Redis that hangs delays no request, and is used again once it responds',
  { skip: redisMissing },
  async (t) => {
    const redis = await ownRedis(t);
    const service = await startTestService(t, { ...uncapped, REDIS_URL: redis.url });
    service.expectLog(/Redis does not answer/);
    const caller = agent(service.app);
    t.equal(charged(await caller.read()), 'reads 59/60');
    redis.pause();
    t.equal(charged(await caller.read()), 'reads 59/60', 'counted here');
    t.equal(charged(await caller.read()), 'reads 58/60');
    redis.resume();
    while (said(service, 'Redis answers again') === 0) await aMoment();
    t.match(charged(await caller.read()), /^reads 5[78]\/60$/, 'counted there');
    t.equal(said(service, 'Redis does not answer'), 1);
  },
);
