import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { Keyring } from '../../secrets/keyring.js';
import type { LimitStore, UsageCallback } from './store.js';

const prefix = 'limit:';
const hashesKept = 10_000;
const replyTimeoutMs = 250;

/**
 * Increments unless the maximum is reached; the window starts with the first request. Redis deletes a
 * key in the millisecond after its TTL, so the TTL is one millisecond less than the window.
 */
const take = `
  local maximum = tonumber(ARGV[2])
  local count = tonumber(redis.call('GET', KEYS[1]) or '0')
  local refused = count >= maximum
  if not refused then count = redis.call('INCR', KEYS[1]) end
  local ttl = redis.call('PTTL', KEYS[1])
  if ttl < 0 then
    ttl = tonumber(ARGV[1]) - 1
    redis.call('PEXPIRE', KEYS[1], ttl)
  end
  return {refused and maximum + 1 or count, ttl + 1}`;

const read = `
  return {tonumber(redis.call('GET', KEYS[1]) or '0'), math.max(redis.call('PTTL', KEYS[1]) + 1, 0)}`;

const refund = `
  if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end`;

/**
 * Budgets in Redis, shared by every process; Redis's clock measures the windows. Callers are named
 * by a keyed hash, so that Redis learns nobody's address.
 */
export function createRedisStore(redis: Redis, keyring: Keyring): LimitStore {
  const hashes = new LRUCache<string, string>({ max: hashesKept });
  redis.defineCommand('takeFromBudget', { numberOfKeys: 1, lua: take });
  redis.defineCommand('readBudget', { numberOfKeys: 1, lua: read });
  redis.defineCommand('refundToBudget', { numberOfKeys: 1, lua: refund });
  const commands = redis as Redis & {
    takeFromBudget(key: string, windowMs: number, maximum: number): Promise<[number, number]>;
    readBudget(key: string): Promise<[number, number]>;
    refundToBudget(key: string): Promise<null>;
  };

  function nameOf(key: string): string {
    let hash = hashes.get(key);
    if (hash === undefined) {
      hash = keyring.fingerprint(key, 'limit').toString('base64url');
      hashes.set(key, hash);
    }
    return prefix + hash;
  }

  return {
    incr(key: string, callback: UsageCallback, windowMs: number, maximum: number) {
      answer(commands.takeFromBudget(nameOf(key), windowMs, maximum), callback);
    },
    read(key: string, callback: UsageCallback) {
      answer(commands.readBudget(nameOf(key)), callback);
    },
    async refund(key) {
      await inTime(commands.refundToBudget(nameOf(key)));
    },
    connect() {
      // If this fails, so does the first command.
      if (redis.status === 'wait') redis.connect().catch(() => undefined);
    },
    close() {
      redis.disconnect();
      return Promise.resolve();
    },
  };
}

function answer(usage: Promise<[current: number, ttl: number]>, callback: UsageCallback): void {
  inTime(usage).then(
    ([current, ttl]) => callback(null, { current, ttl }),
    (error: Error) => callback(error),
  );
}

/**
 * Rejects when there is no reply in time. The client's `commandTimeout` would ignore replies that arrived
 * while this process was busy.
 */
function inTime<T>(reply: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timedOut = () => reject(new Error(`no reply within ${replyTimeoutMs} ms`));
    const timer = setTimeout(() => setImmediate(timedOut), replyTimeoutMs);
    reply.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
