import type { Metrics } from './metrics/metrics.js';
import { shedRequest } from './shed.js';

/**
 * Runs one piece of work at a time per key, in the order of arrival; different keys never wait.
 * Whoever has waited for too long when its turn comes gets `service_unavailable` instead, so that a
 * queue behind something slow empties by itself.
 */
export interface KeyedMutex {
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

const longestWaitMs = 5_000;

export function createKeyedMutex(
  metrics: Metrics,
  monotonic = () => performance.now(),
): KeyedMutex {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async run(key, work) {
      const cameAt = monotonic();
      const runUnlessLate = () => {
        if (monotonic() - cameAt > longestWaitMs) throw shedRequest(metrics, 'turns');
        return work();
      };
      const before = tails.get(key) ?? Promise.resolve();
      const mine = before.then(runUnlessLate);
      // The tail never rejects: each caller sees its own failure only.
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
