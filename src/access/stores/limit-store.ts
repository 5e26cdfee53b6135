import { Redis } from 'ioredis';
import type { PlatformServices } from '../../platform/services.js';
import { createFallbackStore } from './fallback-store.js';
import { createMemoryStore } from './memory-store.js';
import { createRedisStore } from './redis-store.js';
import type { LimitStore } from './store.js';

/** No request waits longer for Redis than this. */
const commandTimeoutMs = 250;
const longestReconnectPauseMs = 1_000;

/** In memory, or on Redis when REDIS_URL is set. */
export function createLimitStore({
  config,
  clock,
  keyring,
  log,
}: Pick<PlatformServices, 'config' | 'clock' | 'keyring' | 'log'>): LimitStore {
  const memory = createMemoryStore(clock);
  if (config.redisUrl === null) return memory;
  const redis = new Redis(config.redisUrl, {
    commandTimeout: commandTimeoutMs,
    // What cannot be sent fails at once; what was sent is not sent again, or it would count twice.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // A process that only works on queues never asks.
    lazyConnect: true,
    retryStrategy: (attempt) => Math.min(attempt * 50, longestReconnectPauseMs),
  });
  // The store that falls back says so once; this comes with every attempt to connect.
  redis.on('error', () => undefined);
  return createFallbackStore(createRedisStore(redis, keyring), memory, {
    ping: () => redis.ping(),
    log,
  });
}
