import type { Metrics } from './metrics/metrics.js';
import { shedRequest } from './shed.js';

/** Serializes work per key, in the order of arrival. Different keys do not wait for one another. */
export interface KeyedMutex {
  /**
   * Throws `service_unavailable` if the wait took over 5 seconds, so that a queue behind slow work
   * drains.
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
      const runUnlessLate = () => {
        if (monotonic() - queuedAt > maxWaitMs) throw shedRequest(metrics, 'turns');
        return work();
      };
      const before = tails.get(key) ?? Promise.resolve();
      const mine = before.then(runUnlessLate);
      // The tail never rejects: a failure reaches its own caller only.
      const tail = mine.catch(() => undefined);
      tails.set(key, tail);
      try {
        return await mine;
      } finally {
        if (tails.get(key) === tail) tails.delete(key);
      }
    },
  };
}
