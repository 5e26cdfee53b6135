/** Counts per key, without keeping keys at 0. */
export interface Tally {
  countOf(key: string): number;
  /** Increments the count. The result decrements it, and does nothing when called again. */
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
