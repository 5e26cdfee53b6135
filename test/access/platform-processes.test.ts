import t, { type Test } from 'tap';
import { removePlatform, setPlatform } from '../../src/access/platforms.js';
import { createApp } from '../../src/app.js';
import type { Context } from '../../src/context.js';
import { countQueries } from '../support/board.js';
import { charged, agent, aMoment } from '../support/agents.js';
import { assistant, claudeAddress, listPlatform, unlistedAddress } from '../support/platforms.js';
import { redisMissing, redisUrl } from '../support/redis.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { withinASecond } from '../support/seconds.js';
import {
  startNeighbour,
  startTestService,
  uncapped,
  type TestService,
} from '../support/service.js';

/** The HTTP side of another process on the same database. */
async function startSecond(t: Test, { context }: TestService) {
  const neighbour = await startNeighbour(t, context);
  const app = await createApp(neighbour);
  t.teardown(() => app.close());
  return { app, context: neighbour };
}

void t.test(
  'with Redis, two processes share the counters of a platform and of its people',
  { skip: redisMissing },
  async (t) => {
    const service = await startTestService(t, { ...uncapped, REDIS_URL: await redisUrl(t) });
    await listPlatform(service.context, { holds_per_hour: 9 });
    const second = await startSecond(t, service);
    const both = [assistant(service.app), assistant(second.app)];
    const slots = await someOpenSlots(service.context, 14);
    const outcomes: string[] = [];
    for (const [index, slot] of slots.entries()) {
      const subject = index < 7 ? 'ada' : `invented ${index}`;
      const { outcome } = await both[index % 2]!.hold(slot, subject, personNumber(index));
      outcomes.push(outcome);
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
  const service = await startTestService(t, uncapped);
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
  void t.test(
    `40 holds at once, over two processes, cannot pass a platform's limit of ${what}`,
    async (t) => {
      const service = await startTestService(t, environment);
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
    },
  );
}

/** Milliseconds until another process's directory has the change. */
async function untilSeen(context: Context, isSeen: () => boolean): Promise<number> {
  const began = performance.now();
  while (!isSeen()) await aMoment();
  t.ok(context.listener.isConnected());
  return performance.now() - began;
}

void t.test(
  'a running process applies an added, changed or removed platform within a second, without a query per request',
  async (t) => {
    const service = await startTestService(t, uncapped);
    const { app, context } = await startSecond(t, service);
    const rest = agent(app, { address: claudeAddress });
    t.equal(charged(await rest.read()), 'reads 59/60');
    const find = () => context.platforms.find(claudeAddress);
    const measured: number[] = [];

    await listPlatform(service.context, { ranges: ['198.51.100.0/24', '2001:db8::/32'] });
    measured.push(await untilSeen(context, () => find() !== null));
    const queries = await countQueries(context, async () => {
      t.equal(charged(await rest.read()), 'platform-reads 5999/6000');
      const sixth = agent(app, { address: '2001:db8:5::1' });
      t.equal(charged(await sixth.read()), 'platform-reads 5998/6000');
      const mapped = agent(app, { address: '::ffff:198.51.100.9' });
      t.equal(charged(await mapped.read()), 'platform-reads 5997/6000');
      t.equal(charged(await agent(app, { address: unlistedAddress }).read()), 'reads 59/60');
    });
    t.equal(queries, 0);

    await setPlatform(service.context, 'a test', 'claude', { reads_per_minute: 9_000 });
    measured.push(await untilSeen(context, () => find()?.readsPerMinute === 9_000));
    t.equal(charged(await rest.read()), 'platform-reads 8996/9000');

    await removePlatform(service.context, 'a test', 'claude');
    measured.push(await untilSeen(context, () => find() === null));
    t.equal(charged(await rest.read()), 'reads 58/60');
    withinASecond(t, measured);
  },
);
