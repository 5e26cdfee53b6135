import { setTimeout } from 'node:timers/promises';

/**
 * Wraps work on many items so that it can be asked for one: while a call is under way, items gather
 * and go into the next call, up to `maximum` at a time. A lone item waits for `lingerMs`, by default
 * not at all. `work` answers in the order of its items; what it throws, each caller of that batch
 * sees.
 */
export function createBatcher<Item, Result>(
  work: (items: Item[]) => Promise<Result[]>,
  maximum: number,
  lingerMs = 0,
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
      if (lingerMs > 0) await setTimeout(lingerMs);
      const batch = waiting.splice(0, maximum);
      try {
        const results = await work(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // What is asked for in the same turn of the event loop goes along.
      if (!running) {
        running = true;
        queueMicrotask(() => void run());
      }
    });
}
