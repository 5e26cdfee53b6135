/** Counts per key. Keys at 0 take no memory. */
export interface KeyedCounter {
  get(key: string): number;
  /** Returns a function that decrements the count again, once. */
  increment(key: string): () => void;
  /** The sum over all keys. */
  total(): number;
  /** The number of keys above 0. */
  size(): number;
}

export function createKeyedCounter(): KeyedCounter {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    get: (key) => counts.get(key) ?? 0,
    increment(key) {
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
    total: () => total,
    size: () => counts.size,
  };
}
