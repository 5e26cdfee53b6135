import type { Logger } from '../../platform/log.js';
import type { LimitStore, UsageCallback } from './store.js';

export interface FallbackOptions {
  /** Resolves when the first store answers, and rejects while it does not. */
  ping: () => Promise<unknown>;
  log: Logger;
  /** How often to ask whether it is back. */
  probeIntervalMs?: number;
}

const defaultProbeIntervalMs = 500;

/**
 * Counts in the first store as long as it answers, and else in the second: limits then hold per
 * process. The log says once that it is gone, and once that it is back.
 */
export function createFallbackStore(
  first: LimitStore,
  second: LimitStore,
  { ping, log, probeIntervalMs = defaultProbeIntervalMs }: FallbackOptions,
): LimitStore {
  let probe: NodeJS.Timeout | undefined;

  function giveUp(error: Error): void {
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
        giveUp(error);
        second[method](key, callback, windowMs, maximum);
      };
      first[method](key, orElse, windowMs, maximum);
    };
  }

  const store: LimitStore = {
    incr: ask('incr'),
    read: ask('read'),
    async refund(key, windowMs) {
      if (probe !== undefined) return second.refund(key, windowMs);
      await first.refund(key, windowMs).catch(giveUp);
    },
    child: () => store,
    async close() {
      clearInterval(probe);
      await first.close();
      await second.close();
    },
  };
  return store;
}
