import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { createMemoryStore } from '../../src/access/stores/memory-store.js';
import { createRedisStore } from '../../src/access/stores/redis-store.js';
import type { LimitStore, Usage } from '../../src/access/stores/store.js';
import { createKeyring } from '../../src/secrets/keyring.js';
import { standingClock } from '../support/clock.js';
import { redisMissing, redisUrl } from '../support/redis.js';

interface Subject {
  store: LimitStore;
  /** Lets that much time pass for the store. */
  advance(milliseconds: number): Promise<void>;
}

const windowMs = 60_000;
/** The time between two calls on a busy machine, by a running clock. */
const tolerance = 5_000;

type Call = (callback: Parameters<LimitStore['incr']>[1]) => void;
const ask = (call: Call): Promise<Usage> =>
  new Promise((resolve, reject) => {
    call((error, usage) => (usage === undefined ? reject(error as Error) : resolve(usage)));
  });
const incr = (store: LimitStore, key: string, maximum: number) =>
  ask((callback) => store.incr(key, callback, windowMs, maximum));
const read = (store: LimitStore, key: string, maximum: number) =>
  ask((callback) => store.read(key, callback, windowMs, maximum));

/** What every store must do. */
async function conforms(t: Test, subject: (t: Test) => Promise<Subject>): Promise<void> {
  await t.test('counts accepted requests of each key, up to a maximum of each call', async (t) => {
    const { store } = await subject(t);
    for (const [key, maximum, current] of [
      ['a', 3, 1],
      ['a', 3, 2],
      ['a', 3, 3],
      ['a', 3, 4],
      // Refused ones are not counted.
      ['a', 3, 4],
      ['b', 3, 1],
      ['b', 1, 2],
      ['b', 3, 2],
      ['a', 4, 4],
      ['a', 4, 5],
    ] as const) {
      t.equal((await incr(store, key, maximum)).current, current);
    }
  });

  await t.test('starts a new window after exactly the time it returned', async (t) => {
    const { store, advance } = await subject(t);
    const first = await incr(store, 'a', 1);
    t.ok(first.ttl <= windowMs && first.ttl > windowMs - tolerance);
    await advance(20_000);
    const refused = await incr(store, 'a', 1);
    t.equal(refused.current, 2);
    t.ok(refused.ttl <= windowMs - 20_000 && refused.ttl > windowMs - 20_000 - tolerance);
    await advance(refused.ttl - tolerance);
    t.equal((await incr(store, 'a', 1)).current, 2, 'the window does not move');
    await advance(tolerance);
    t.equal((await incr(store, 'a', 1)).current, 1);
  });

  await t.test('reads without counting', async (t) => {
    const { store, advance } = await subject(t);
    t.equal((await read(store, 'a', 2)).current, 0);
    await incr(store, 'a', 2);
    t.equal((await read(store, 'a', 2)).current, 1);
    const { current, ttl } = await read(store, 'a', 2);
    t.equal(current, 1);
    t.ok(ttl <= windowMs && ttl > windowMs - tolerance);
    await advance(windowMs);
    t.equal((await read(store, 'a', 2)).current, 0);
  });

  await t.test('refunds, also to an exhausted budget, and never below zero', async (t) => {
    const { store } = await subject(t);
    await incr(store, 'a', 2);
    await incr(store, 'a', 2);
    t.equal((await incr(store, 'a', 2)).current, 3);
    await store.refund('a', windowMs);
    t.equal((await incr(store, 'a', 2)).current, 2);
    for (let time = 0; time < 5; time += 1) await store.refund('a', windowMs);
    t.equal((await incr(store, 'a', 2)).current, 1);
    await store.refund('never seen', windowMs);
    t.equal((await read(store, 'never seen', 2)).current, 0);
  });

  await t.test('of concurrent requests exactly the maximum is accepted', async (t) => {
    const { store } = await subject(t);
    const usages = await Promise.all(Array.from({ length: 200 }, () => incr(store, 'a', 30)));
    t.equal(usages.filter(({ current }) => current <= 30).length, 30);
  });
}

void t.test('the store in memory', (t) =>
  conforms(t, () => {
    const clock = standingClock();
    const advance = async (milliseconds: number) => clock.advance(milliseconds);
    return Promise.resolve({ store: createMemoryStore(clock), advance });
  }),
);

async function redisStore(t: Test) {
  const redis = new Redis(await redisUrl(t));
  const store = createRedisStore(redis, createKeyring('a secret of the tests, long enough'));
  t.teardown(() => store.close());
  return { redis, store };
}

void t.test('the store on Redis', { skip: redisMissing }, (t) =>
  conforms(t, async (t) => {
    const { redis, store } = await redisStore(t);
    return {
      store,
      // Redis's own clock measures: every key gets that much less to live.
      async advance(milliseconds) {
        for (const key of await redis.keys('*')) {
          await redis.pexpire(key, (await redis.pttl(key)) - milliseconds);
        }
      },
    };
  }),
);

void t.test('no client address is stored in Redis', { skip: redisMissing }, async (t) => {
  const { redis, store } = await redisStore(t);
  await incr(store, 'reads address 192.0.2.1', 1);
  t.match(await redis.keys('*'), [/^limit:[\w-]{43}$/]);
});

void t.test('the size of the memory store is bounded', async (t) => {
  const capacity = 1_000;
  const store = createMemoryStore(standingClock(), capacity);
  await incr(store, 'spent', 1);
  await incr(store, 'half', 2);
  for (let index = 0; index < 50_000; index += 1) {
    store.incr(`address ${index}`, () => undefined, windowMs, 60);
  }
  t.equal((await incr(store, 'spent', 1)).current, 2, 'what is used up stays used up');
  t.equal((await incr(store, 'half', 2)).current, 1, 'an old one with something left went');
  let kept = 0;
  for (let index = 0; index < 50_000; index += 1) {
    store.read(`address ${index}`, (_error, usage) => (kept += usage?.current ?? 0), windowMs, 60);
  }
  t.ok(kept <= capacity, `${kept} are kept`);
});

void t.test('ended windows are evicted first, and a full store counts new keys', async (t) => {
  const clock = standingClock();
  const store = createMemoryStore(clock, 3);
  for (const key of ['a', 'b', 'c']) await incr(store, key, 1);
  t.equal((await incr(store, 'd', 1)).current, 1, 'all are used up, so the oldest goes');
  t.equal((await read(store, 'a', 1)).current, 0);
  t.equal((await incr(store, 'd', 1)).current, 2);
  t.equal((await incr(store, 'c', 1)).current, 2);
  clock.advance(windowMs);
  for (const key of ['e', 'f', 'g']) await incr(store, key, 2);
  for (const key of ['e', 'f', 'g']) t.equal((await incr(store, key, 2)).current, 2);
});

void t.test('a clock that is set back ends a window earlier, never later', async (t) => {
  const clock = standingClock();
  const store = createMemoryStore(clock);
  await incr(store, 'a', 1);
  clock.advance(-3_600_000);
  t.equal((await incr(store, 'a', 1)).current, 1);
});
