import { Redis } from 'ioredis';
import type { DatabaseServices } from '../../database/services.js';
import { createFallbackStore } from './fallback-store.js';
import { createMemoryStore } from './memory-store.js';
import { createRedisStore } from './redis-store.js';
import type { LimitStore } from './store.js';

const maxReconnectDelayMs = 1_000;

/** In memory, or on Redis when REDIS_URL is set: stores of our own (src/decisions.md). */
export function createLimitStore({
  config,
  clock,
  keyring,
  log,
}: Pick<DatabaseServices, 'config' | 'clock' | 'keyring' | 'log'>): LimitStore {
  const memory = createMemoryStore(clock);
  if (config.redisUrl === null) return memory;
  const redis = new Redis(config.redisUrl, {
    // Commands fail instead of being queued or resent: a resent one would count twice.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // Workers never connect.
    lazyConnect: true,
    retryStrategy: (attempt) => Math.min(attempt * 50, maxReconnectDelayMs),
  });
  // Emitted for each failed attempt to connect; the fallback store logs once.
  redis.on('error', () => undefined);
  return createFallbackStore(createRedisStore(redis, keyring), memory, {
    ping: () => redis.ping(),
    log,
  });
}
