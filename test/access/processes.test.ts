import t, { type Test } from 'tap';
import { removePlatform, setPlatform } from '../../src/access/platforms.js';
import { createApp } from '../../src/app.js';
import { agent, aMoment, charged } from '../support/agents.js';
import { countQueries } from '../support/board.js';
import { temporaryFolder } from '../support/embedded.js';
import { assistant, claudeAddress, listPlatform, unlistedAddress } from '../support/platforms.js';
import { redisMissing, redisUrl, startTestRedis } from '../support/redis.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { startNeighbour, startService, uncapped, type TestService } from '../support/service.js';

/** The HTTP side of another process: its own memory, the same database and Redis. */
async function startSecond(t: Test, { context }: TestService) {
  const neighbour = await startNeighbour(t, context);
  const app = await createApp(neighbour);
  t.teardown(() => app.close());
  return { app, context: neighbour };
}

void t.test(
  'with Redis, two processes share the counters of a caller, of a platform and of its people',
  { skip: redisMissing },
  async (t) => {
    const service = await startService(t, { ...uncapped, REDIS_URL: await redisUrl(t) });
    await listPlatform(service.context, { holds_per_hour: 9 });
    const apps = [service.app, (await startSecond(t, service)).app];
    const slots = await someOpenSlots(service.context, 22);
    const nextSlot = () => slots.shift()!;
    // Both have their connections to Redis then.
    for (const app of apps) await agent(app, { address: '192.0.2.9' }).read();
    const twinSlot = nextSlot();
    const twins = await Promise.all(
      Array.from({ length: 10 }, (_, index) => agent(apps[index % 2]!).hold(twinSlot, 'twins')),
    );
    t.ok(twins.every(({ statusCode }) => statusCode === 201));
    t.equal(new Set(twins.map(({ body }) => body)).size, 1);
    t.equal(charged(await agent(service.app).read()), 'reads 50/60', 'nine replays');
    const holds = [];
    for (const index of [1, 2, 3, 4, 5]) {
      holds.push(charged(await agent(apps[index % 2]!).hold(nextSlot())));
    }
    const used = ['holds 3/5', 'holds 2/5', 'holds 1/5', 'holds 0/5', 'holds 0/5'];
    t.strictSame(holds, used, 'a retry that arrived at both at once cost one');
    t.equal((await agent(apps[0]!).hold(slots[0])).statusCode, 429);

    const outcomes: string[] = [];
    for (let index = 0; index < 14; index += 1) {
      const subject = index < 7 ? 'ada' : `invented ${index}`;
      const { hold } = assistant(apps[index % 2]!);
      outcomes.push((await hold(nextSlot(), subject, personNumber(index))).outcome);
    }
    t.strictSame(outcomes, [
      ...Array<string>(5).fill('held'),
      ...Array<string>(2).fill('rate_limited'),
      ...Array<string>(4).fill('held'),
      ...Array<string>(3).fill('rate_limited'),
    ]);
  },
);

void t.test('in memory, each process counts for itself', async (t) => {
  const service = await startService(t, uncapped);
  await listPlatform(service.context, { holds_per_hour: 2 });
  const second = await startSecond(t, service);
  const slots = await someOpenSlots(service.context, 6);
  const outcomes: string[] = [];
  for (const [index, slot] of slots.entries()) {
    const { hold } = assistant(index < 3 ? service.app : second.app);
    outcomes.push((await hold(slot, `p ${index}`, personNumber(index))).outcome);
  }
  t.strictSame(outcomes, ['held', 'held', 'rate_limited', 'held', 'held', 'rate_limited']);
});

for (const [what, platform, environment] of [
  ['pending holds', {}, { ...uncapped, MAX_PENDING_HOLDS: '8' }],
  ['live bookings', { live_bookings: 4 }, uncapped],
] as const) {
  void t.test(`40 holds at once cannot pass a platform's limit of ${what}`, async (t) => {
    const service = await startService(t, environment);
    service.expectLog(/too_many_pending_holds|a platform has as many/);
    await listPlatform(service.context, platform);
    const second = await startSecond(t, service);
    const slots = await someOpenSlots(service.context, 40);
    const answers = await Promise.all(
      slots.map((slot, index) =>
        assistant(index % 2 === 0 ? service.app : second.app).hold(
          slot,
          `invented ${index}`,
          personNumber(index),
        ),
      ),
    );
    t.equal(answers.filter(({ outcome }) => outcome === 'held').length, 4);
  });
}

void t.test('a running process applies changes of platforms, without queries', async (t) => {
  const service = await startService(t, uncapped);
  const { app, context } = await startSecond(t, service);
  const rest = agent(app, { address: claudeAddress });
  t.equal(charged(await rest.read()), 'reads 59/60');
  const find = () => context.platforms.find(claudeAddress);

  await listPlatform(service.context, { ranges: ['198.51.100.0/24', '2001:db8::/32'] });
  while (find() === null) await aMoment();
  const queries = countQueries(context);
  t.equal(charged(await rest.read()), 'platform-reads 5999/6000');
  const sixth = agent(app, { address: '2001:db8:5::1' });
  t.equal(charged(await sixth.read()), 'platform-reads 5998/6000');
  const mapped = agent(app, { address: '::ffff:198.51.100.9' });
  t.equal(charged(await mapped.read()), 'platform-reads 5997/6000');
  t.equal(charged(await agent(app, { address: unlistedAddress }).read()), 'reads 59/60');
  t.equal(queries.others, 0);

  await setPlatform(service.context, 'a test', 'claude', { reads_per_minute: 9_000 });
  while (find()?.readsPerMinute !== 9_000) await aMoment();
  t.equal(charged(await rest.read()), 'platform-reads 8996/9000');

  await removePlatform(service.context, 'a test', 'claude');
  while (find() !== null) await aMoment();
  t.equal(charged(await rest.read()), 'reads 58/60');
});

/** A service with a Redis that the test may stop. */
async function startOnOwnRedis(t: Test) {
  const redis = await startTestRedis(await temporaryFolder(t));
  if (redis === null) throw new Error('no redis-server');
  t.teardown(() => redis.stop());
  const service = await startService(t, { ...uncapped, REDIS_URL: redis.url });
  service.expectLog(/Redis does not answer/);
  const said = (text: string) => service.logLines.filter((line) => line.includes(text)).length;
  return { ...service, redis, caller: agent(service.app), said };
}

void t.test(
  'while Redis is down, reads are served, writes are limited per process, and one warning is logged',
  { skip: redisMissing },
  async (t) => {
    const { context, redis, caller, said } = await startOnOwnRedis(t);
    const slots = await someOpenSlots(context, 8);
    t.equal(charged(await caller.hold(slots.shift()!)), 'holds 4/5');
    await redis.stop();
    for (let read = 1; read <= 10; read += 1) t.equal((await caller.read()).statusCode, 200);
    const holds = [];
    for (const slot of slots) holds.push((await caller.hold(slot)).statusCode);
    t.strictSame(holds, [201, 201, 201, 201, 201, 429, 429]);
    t.equal(said('Redis does not answer'), 1);
  },
);

void t.test(
  'a Redis that hangs delays no request, and is used again once it responds',
  { skip: redisMissing },
  async (t) => {
    const { redis, caller, said } = await startOnOwnRedis(t);
    t.equal(charged(await caller.read()), 'reads 59/60');
    redis.pause();
    t.equal(charged(await caller.read()), 'reads 59/60', 'counted here');
    t.equal(charged(await caller.read()), 'reads 58/60');
    redis.resume();
    while (said('Redis answers again') === 0) await aMoment();
    t.match(charged(await caller.read()), /^reads 5[78]\/60$/, 'counted there');
    t.equal(said('Redis does not answer'), 1);
  },
);
