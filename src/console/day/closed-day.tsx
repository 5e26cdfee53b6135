import type { VNode } from 'preact';
import type { ClosureRow } from '../../database/rows/schema.js';
import type { ExplainedSlot, StudioSlot } from '../../domain/studio/days.js';
import { useMayChange } from '../artist-choice.js';
import { closureDates, RemoveClosure } from '../hours/closure-parts.js';
import { cellKey, ClosedWords } from './slot-card.js';

/** Why each slot can be booked or not, by `cellKey`. */
export type WhyNot = ReadonlyMap<string, ExplainedSlot | undefined>;

/** The closures of the whole day, of the studio and of the artists of the slots. */
export function dayClosures(slots: readonly StudioSlot[], why: WhyNot): readonly ClosureRow[] {
  const closures = slots.flatMap((slot) => why.get(cellKey(slot))?.closures ?? []);
  const ofDay = closures.filter(
    ({ time_slot, from_time }) => time_slot === null && from_time === null,
  );
  return [...new Map(ofDay.map((closure) => [closure.id, closure])).values()];
}

/** The blocks of the slot's artist, or of all, from its start to the next; the first has what is before. */
export function blocksIn(
  slot: StudioSlot,
  slots: readonly StudioSlot[],
  blocks: readonly ClosureRow[],
): ClosureRow[] {
  const theirs = slots.filter(({ artist }) => artist.id === slot.artist.id);
  const index = theirs.indexOf(slot);
  const until = theirs[index + 1]?.startsAt ?? Infinity;
  return blocks.filter(
    ({ artist_id, from_date, starts_at, ends_at }) =>
      (artist_id === null || artist_id === slot.artist.id) &&
      from_date === slot.date &&
      Number(starts_at) < until &&
      (index === 0 || Number(ends_at) > slot.startsAt),
  );
}

export interface ClosedDayProps {
  date: string;
  /** The slots that are closed. */
  slots: readonly StudioSlot[];
  closures: readonly ClosureRow[];
  /** The slug of one of several artists. */
  artist?: string;
}

/** Why the day is closed, and the form that opens it again. */
export function ClosedDay({ date, slots, closures, artist }: ClosedDayProps): VNode {
  const { length } = slots.filter(({ booking, isOver }) => booking !== null && !isOver);
  const key = artist === undefined ? `closed ${date}` : `closed ${date} ${artist}`;
  return (
    // It is part of each page, so that a closure appears on one that is open.
    <div class="closed-day" data-key={key}>
      {closures.map((closure) => (
        <div key={closure.id} class="notice">
          <p>
            <ClosedWords closure={closure} />.{bookingsStay(length)}
          </p>
          {closure.from_date !== closure.to_date && <p class="muted">{closureDates(closure)}</p>}
          <MayRemove closure={closure} day={date} />
        </div>
      ))}
    </div>
  );
}

function MayRemove(props: { closure: ClosureRow; day: string }): VNode | null {
  return useMayChange(props.closure.artist_id) ? <RemoveClosure {...props} /> : null;
}

function bookingsStay(count: number): string {
  if (count === 0) return '';
  if (count === 1) return ' A booking stays.';
  return ` ${['Two', 'Three'][count - 2] ?? count} bookings stay.`;
}
