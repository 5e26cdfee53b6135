/**
 * Wraps `work` on many items as a function of one. Items that are added while `work` runs form the
 * next batch, of up to `batchLimit`. `work` returns results in the order of its items; if it throws,
 * every caller of the batch receives the error.
 */
export function createBatcher<Item, Result>(
  work: (items: Item[]) => Promise<Result[]>,
  batchLimit: number,
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
      // A microtask later, so that items added by the same tick share a batch.
      if (!running) {
        running = true;
        queueMicrotask(() => void run());
      }
    });
}
