/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Discrete events in the order of their time; those of one time, in the order of their planning. */
export interface Timeline {
  /** Seconds since the start. */
  now(): number;
  plan(at: number, event: () => void): void;
  /** Runs the events, also those planned meanwhile, up to this time. */
  runUntil(end: number): void;
}

interface Planned {
  at: number;
  number: number;
  event: () => void;
}

export function createTimeline(): Timeline {
  /** A binary heap: no entry is before its parent. */
  const heap: Planned[] = [];
  let now = 0;
  let planned = 0;

  const isBefore = (one: Planned, other: Planned): boolean =>
    one.at < other.at || (one.at === other.at && one.number < other.number);

  function swap(one: number, other: number): void {
    [heap[one], heap[other]] = [heap[other]!, heap[one]!];
  }

  function takeFirst(): Planned {
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length > 0) heap[0] = last;
    for (let index = 0; ;) {
      let least = index;
      for (const child of [2 * index + 1, 2 * index + 2]) {
        if (child < heap.length && isBefore(heap[child]!, heap[least]!)) least = child;
      }
      if (least === index) return first;
      swap(index, least);
      index = least;
    }
  }

  return {
    now: () => now,
    plan(at, event) {
      heap.push({ at, number: planned++, event });
      for (let index = heap.length - 1; index > 0;) {
        const parent = (index - 1) >> 1;
        if (!isBefore(heap[index]!, heap[parent]!)) return;
        swap(index, parent);
        index = parent;
      }
    },
    runUntil(end) {
      while (heap[0] !== undefined && heap[0].at <= end) {
        const { at, event } = takeFirst();
        now = at;
        event();
      }
      now = end;
    },
  };
}
