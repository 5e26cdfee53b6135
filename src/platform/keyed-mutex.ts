import type { Metrics } from './metrics/metrics.js';
import { shedRequest } from './shed.js';

/** Runs work for one key at a time, first in, first out. Different keys run concurrently. */
export interface KeyedMutex {
  /**
   * Throws `service_unavailable` for work that waited more than 5 seconds, so that a queue behind
   * slow work drains.
   */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

const maxWaitMs = 5_000;

export function createKeyedMutex(
  metrics: Metrics,
  monotonic = () => performance.now(),
): KeyedMutex {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async run(key, work) {
      const queuedAt = monotonic();
      const runUnlessTimedOut = () => {
        if (monotonic() - queuedAt > maxWaitMs) throw shedRequest(metrics, 'turns');
        return work();
      };
      const previous = tails.get(key) ?? Promise.resolve();
      const result = previous.then(runUnlessTimedOut);
      // The tail never rejects: an error is reported to its own caller only.
      const tail = result.catch(() => undefined);
      tails.set(key, tail);
      try {
        return await result;
      } finally {
        if (tails.get(key) === tail) tails.delete(key);
      }
    },
  };
}
