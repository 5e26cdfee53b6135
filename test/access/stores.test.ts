import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { createMemoryStore } from '../../src/access/stores/memory-store.js';
import { createRedisStore } from '../../src/access/stores/redis-store.js';
import type { LimitStore, Usage } from '../../src/access/stores/store.js';
import { createKeyring } from '../../src/platform/keyring.js';
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

function incr(store: LimitStore, key: string, maximum: number, window = windowMs): Promise<Usage> {
  return ask((callback) => store.incr(key, callback, window, maximum));
}

function read(store: LimitStore, key: string, maximum: number): Promise<Usage> {
  return ask((callback) => store.read(key, callback, windowMs, maximum));
}

function ask(call: (callback: Parameters<LimitStore['incr']>[1]) => void): Promise<Usage> {
  return new Promise((resolve, reject) => {
    call((error, usage) => (usage === undefined ? reject(error as Error) : resolve(usage)));
  });
}

/** What every store must do. */
async function conforms(t: Test, subject: (t: Test) => Promise<Subject>): Promise<void> {
  await t.test('counts accepted requests and rejects those beyond the maximum', async (t) => {
    const { store } = await subject(t);
    for (const current of [1, 2, 3]) t.equal((await incr(store, 'a', 3)).current, current);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      t.equal((await incr(store, 'a', 3)).current, 4, 'refused ones are not counted');
    }
  });

  await t.test('keeps a separate count for each key', async (t) => {
    const { store } = await subject(t);
    await incr(store, 'a', 1);
    t.equal((await incr(store, 'a', 1)).current, 2);
    t.equal((await incr(store, 'b', 1)).current, 1);
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

  await t.test('a maximum may differ from call to call', async (t) => {
    const { store } = await subject(t);
    await incr(store, 'a', 1);
    t.equal((await incr(store, 'a', 1)).current, 2);
    t.equal((await incr(store, 'a', 3)).current, 2);
    t.equal((await incr(store, 'a', 3)).current, 3);
    t.equal((await incr(store, 'a', 3)).current, 4);
  });

  await t.test('of concurrent requests exactly the maximum is accepted', async (t) => {
    const { store } = await subject(t);
    const usages = await Promise.all(Array.from({ length: 200 }, () => incr(store, 'a', 30)));
    t.equal(usages.filter(({ current }) => current <= 30).length, 30);
  });

  await t.test('has one store for every limiter', async (t) => {
    const { store } = await subject(t);
    t.equal(store.child({} as Parameters<LimitStore['child']>[0]), store);
  });
}

void t.test('the store in memory', (t) =>
  conforms(t, () => {
    const clock = standingClock();
    return Promise.resolve({
      store: createMemoryStore(clock),
      advance(milliseconds) {
        clock.advance(milliseconds);
        return Promise.resolve();
      },
    });
  }),
);

void t.test('the store on Redis', { skip: redisMissing }, (t) =>
  conforms(t, async (t) => {
    const url = await redisUrl(t);
    const redis = new Redis(url);
    const store = createRedisStore(redis, createKeyring('a secret of the tests, long enough'));
    t.teardown(() => store.close());
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
  const redis = new Redis(await redisUrl(t));
  const store = createRedisStore(redis, createKeyring('a secret of the tests, long enough'));
  t.teardown(() => store.close());
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

void t.test(
  'ended windows are evicted first, and a full store still counts new keys',
  async (t) => {
    const clock = standingClock();
    const store = createMemoryStore(clock, 3);
    for (const key of ['a', 'b', 'c']) await incr(store, key, 1);
    t.equal((await incr(store, 'd', 1)).current, 1, 'all are used up, so the oldest goes');
    t.equal((await incr(store, 'd', 1)).current, 2);
    t.equal((await incr(store, 'c', 1)).current, 2);
    clock.advance(windowMs);
    for (const key of ['e', 'f', 'g']) await incr(store, key, 2);
    for (const key of ['e', 'f', 'g']) t.equal((await incr(store, key, 2)).current, 2);
  },
);

void t.test('a clock that is set back ends a window earlier, never later', async (t) => {
  const clock = standingClock();
  const store = createMemoryStore(clock);
  await incr(store, 'a', 1);
  clock.advance(-3_600_000);
  t.equal((await incr(store, 'a', 1)).current, 1);
});
