import { isDeepStrictEqual } from 'node:util';
import type { CalendarRows, ClosureRow } from '../repositories/studio.js';
import { type BusyRules, slotsOverlapping } from '../schedule/busy-times.js';
import type { Closure } from '../schedule/calendar.js';
import { parseSlotKey } from '../schedule/slots.js';
import type { ClosingTime, WeekDay } from '../schedule/weeks.js';

interface KnownClosures {
  readonly calendar: { readonly timezone: string };
  readonly weekDays: readonly WeekDay[];
  readonly closures: readonly ClosureRow[];
}

/** Whether everything that decides about closed slots is unchanged. */
export function isClosedAs(
  { calendar, closures, weekDays }: KnownClosures,
  rows: CalendarRows,
): boolean {
  return (
    calendar.timezone === rows.studio.timezone &&
    isDeepStrictEqual([closures, weekDays], [rows.closures, rows.weekDays])
  );
}

/** What is closed for an artist: a block closes each session that it overlaps. */
export function closuresOf(
  { closures, studio: { timezone } }: CalendarRows,
  artistId: number,
  openingHours: readonly ClosingTime[],
): readonly Closure[] {
  return closures
    .filter(({ artist_id }) => artist_id === null || artist_id === artistId)
    .flatMap((closure) => closureOf(closure, { timezone, openingHours }));
}

function closureOf(row: ClosureRow, rules: BusyRules): Closure | Closure[] {
  const { from_date: fromDate, to_date: toDate, time_slot, starts_at, ends_at } = row;
  if (starts_at === null || ends_at === null) return { fromDate, toDate, timeSlot: time_slot };
  const block = { startsAt: starts_at, endsAt: ends_at };
  return [...slotsOverlapping([block], rules)].map((key) => {
    const { date, timeSlot } = parseSlotKey(key);
    return { fromDate: date, toDate: date, timeSlot };
  });
}
