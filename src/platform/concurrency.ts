import { setTimeout as delay } from 'node:timers/promises';
import type { Metrics } from './metrics/metrics.js';
import { shedRequest } from './shed.js';

/**
 * Wraps work that processes everything pending in each run. Calls during a run share one further run:
 * concurrent calls cost at most two. Every call resolves with a run that began after it.
 */
export function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  let next: Promise<Result> | null = null;

  const start = (): Promise<Result> => {
    running = work().finally(() => {
      running = null;
    });
    return running;
  };

  return () => {
    if (running === null) return start();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return start();
      });
    return next;
  };
}

/**
 * Wraps `work` on many items as a function of one. Items that are added while `work` runs form the
 * next batch, of up to `batchLimit`. After a batch of several, the next begins `intervalMs` after it
 * or later; a lone item delays none. `work` returns results in the order of its items; if it throws,
 * every caller of the batch receives the error.
 */
export function createBatcher<Item, Result>(
  work: (items: Item[]) => Promise<Result[]>,
  batchLimit: number,
  intervalMs = 0,
): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item;
    resolve: (result: Result) => void;
    reject: (error: unknown) => void;
  }
  const waiting: Waiting[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchLimit);
      const interval = intervalMs > 0 && batch.length > 1 ? delay(intervalMs) : undefined;
      try {
        const results = await work(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      await interval;
    }
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // A microtask of delay lets items of the same tick share a batch.
      if (!running) {
        running = true;
        queueMicrotask(() => void run());
      }
    });
}

/**
 * Makes a value once, when it is first needed, for what a start does not need: `lazily(() =>
 * import('…'))`. A failure is not kept. Node 20 itself keeps the failure of an import, so that one for
 * want of file descriptors lasts until a restart; a quarter of them is kept from clients.
 */
export function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    if (made === undefined) {
      made = make();
      made.catch(() => (made = undefined));
    }
    return made;
  };
}

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

/** Counts per key. Keys at 0 take no memory. */
export function createKeyedCounter() {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    get: (key: string) => counts.get(key) ?? 0,
    /** Returns a function that decrements the count again, once. */
    increment(key: string) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      total += 1;
      let isCounted = true;
      return () => {
        if (!isCounted) return;
        isCounted = false;
        total -= 1;
        const left = (counts.get(key) ?? 0) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      };
    },
    /** The sum over all keys. */
    total: () => total,
    /** The number of keys above 0. */
    size: () => counts.size,
  };
}
