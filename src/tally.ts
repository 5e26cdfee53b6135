/** Counts per key. A key whose count is back at 0 takes no memory. */
export interface Tally {
  countOf(key: string): number;
  /** Counts one more; the result takes it back, once. */
  add(key: string): () => void;
  /** The number of keys that are counted. */
  size(): number;
}

export function createTally(): Tally {
  const counts = new Map<string, number>();
  return {
    countOf: (key) => counts.get(key) ?? 0,
    add(key) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      let isCounted = true;
      return () => {
        if (!isCounted) return;
        isCounted = false;
        const left = (counts.get(key) ?? 0) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      };
    },
    size: () => counts.size,
  };
}
