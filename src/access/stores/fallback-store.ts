import type { Logger } from '../../platform/log.js';
import type { LimitStore, UsageCallback } from './store.js';

export interface FallbackOptions {
  /** Resolves if the first store is available. */
  ping: () => Promise<unknown>;
  log: Logger;
  probeIntervalMs?: number;
}

const defaultProbeIntervalMs = 500;

/**
 * Counts in the first store while it is available, otherwise in the second: limits are then per
 * process. Logs each change once.
 */
export function createFallbackStore(
  first: LimitStore,
  second: LimitStore,
  { ping, log, probeIntervalMs = defaultProbeIntervalMs }: FallbackOptions,
): LimitStore {
  let probe: NodeJS.Timeout | undefined;

  function fallBack(error: Error): void {
    if (probe !== undefined) return;
    log.warn({ err: error }, 'Redis does not answer: limits are counted in this process meanwhile');
    probe = setInterval(() => {
      ping().then(recover, () => undefined);
    }, probeIntervalMs);
    probe.unref();
  }

  function recover(): void {
    if (probe === undefined) return;
    clearInterval(probe);
    probe = undefined;
    log.info('Redis answers again: limits are counted there');
  }

  function ask(method: 'incr' | 'read') {
    return (key: string, callback: UsageCallback, windowMs: number, maximum: number): void => {
      if (probe !== undefined) return second[method](key, callback, windowMs, maximum);
      const orElse: UsageCallback = (error, usage) => {
        if (error === null) return callback(null, usage);
        fallBack(error);
        second[method](key, callback, windowMs, maximum);
      };
      first[method](key, orElse, windowMs, maximum);
    };
  }

  return {
    incr: ask('incr'),
    read: ask('read'),
    async refund(key, windowMs) {
      if (probe !== undefined) return second.refund(key, windowMs);
      await first.refund(key, windowMs).catch(fallBack);
    },
    connect: () => first.connect(),
    async close() {
      clearInterval(probe);
      await first.close();
      await second.close();
    },
  };
}
