import type { BusyInterval } from '../../schedule/busy-times.js';

export type IntervalUnion = ReturnType<typeof createIntervalUnion>;

/** The target of busy intervals. */
export type BusySink = Pick<IntervalUnion, 'window' | 'add'>;

/** The number of intervals between merges, so that memory grows with gaps. */
const mergeEvery = 50_000;

/** The union of intervals within a window: ms since the epoch. */
export function createIntervalUnion(window: { readonly from: number; readonly to: number }) {
  let added: BusyInterval[] = [];
  let limit = mergeEvery;
  return {
    window,
    /** Adds from `startsAt` to `endsAt`, exclusive; nothing if it ends before it starts. */
    add(startsAt: number, endsAt: number): void {
      const clipped = {
        startsAt: Math.max(startsAt, window.from),
        endsAt: Math.min(endsAt, window.to),
      };
      if (clipped.startsAt >= clipped.endsAt) return;
      added.push(clipped);
      if (added.length < limit) return;
      added = merge(added);
      limit = added.length + mergeEvery;
    },
    /** Ordered, without overlaps and touches. */
    intervals: (): readonly BusyInterval[] => merge(added),
  };
}

function merge(intervals: BusyInterval[]): BusyInterval[] {
  intervals.sort((one, other) => one.startsAt - other.startsAt);
  const merged: { startsAt: number; endsAt: number }[] = [];
  for (const { startsAt, endsAt } of intervals) {
    const last = merged.at(-1);
    if (last !== undefined && startsAt <= last.endsAt) last.endsAt = Math.max(last.endsAt, endsAt);
    else merged.push({ startsAt, endsAt });
  }
  return merged;
}

/**
 * Those of ordered intervals without overlaps that decide about a slot: the first that ends after the
 * slot starts, if it begins before `longestMs` later.
 *
 * @param slotStarts ascending
 */
export function decidingIntervals(
  intervals: readonly BusyInterval[],
  slotStarts: readonly number[],
  longestMs: number,
): BusyInterval[] {
  const deciding: BusyInterval[] = [];
  let next = 0;
  for (const slotStart of slotStarts) {
    while ((intervals[next]?.endsAt ?? Infinity) <= slotStart) next += 1;
    const interval = intervals[next];
    if (interval === undefined) break;
    const decides = interval.startsAt < slotStart + longestMs;
    if (decides && deciding.at(-1) !== interval) deciding.push(interval);
  }
  return deciding;
}
