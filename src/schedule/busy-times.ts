import { Temporal } from 'temporal-polyfill';
import type { Calendar } from './calendar.js';
import { addDays } from './dates.js';
import { dayOf, endOfDay, instantOfWallClock, longestSessionMs, sessionEndsAt } from './slots.js';
import type { ClosingTime } from './weeks.js';

/** When a watched calendar is busy: milliseconds since the epoch, the end exclusive. */
export interface BusyInterval {
  readonly startsAt: number;
  readonly endsAt: number;
}

/** The facts by which busy intervals close slots. */
export interface BusyRules {
  readonly timezone: string;
  readonly openingHours: readonly ClosingTime[];
}

/**
 * When hours of a date begin and end: `HH:MM` on the clock of a zone, the end up to 24:00. A skipped time
 * moves forward by the length of the gap, a repeated one is the first; what only a gap contains is empty.
 */
export function hoursInterval(
  timezone: string,
  date: string,
  { from, to }: { from: string; to: string },
  instantOf = instantOfWallClock,
): BusyInterval {
  const end = to === endOfDay ? `${addDays(date, 1)}T00:00:00` : `${date}T${to}:00`;
  const startsAt = instantOf(timezone, `${date}T${from}:00`).epochMs;
  return { startsAt, endsAt: Math.max(instantOf(timezone, end).epochMs, startsAt) };
}

/**
 * The keys (`slotKey`) of the slots whose session overlaps a busy interval, from its start until before
 * the next session or the closing time.
 */
export function slotsOverlapping(
  busy: readonly BusyInterval[],
  rules: BusyRules,
): ReadonlySet<string> {
  return new Set(busy.flatMap((interval) => [...slotsOf(interval, rules)]));
}

/** The studio's rules as if nobody were free at the times. */
export function withoutTimes<State extends { calendar: Calendar }>(
  state: State,
  times: readonly BusyInterval[],
): State {
  if (times.length === 0) return state;
  const { calendar } = state;
  const { timezone } = calendar;
  const artists = calendar.artists.map((artist) => {
    const keys = slotsOverlapping(times, { timezone, openingHours: artist.hours });
    return { ...artist, busySlots: new Set([...artist.busySlots, ...keys]) };
  });
  return { ...state, calendar: { ...calendar, artists } };
}

function* slotsOf(interval: BusyInterval, rules: BusyRules): Generator<string> {
  const first = localDate(rules.timezone, interval.startsAt - longestSessionMs);
  const last = localDate(rules.timezone, interval.endsAt);
  for (let date = first; date <= last; date = addDays(date, 1)) {
    for (const { key, epochMs, exists } of dayOf(rules.timezone, date).slots) {
      if (exists && isOverlapping(interval, epochMs, rules)) yield key;
    }
  }
}

function isOverlapping(
  { startsAt, endsAt }: BusyInterval,
  slotStartsAt: number,
  rules: BusyRules,
): boolean {
  if (endsAt <= slotStartsAt || startsAt >= slotStartsAt + longestSessionMs) return false;
  // This needs no end of the session, which takes longer to find.
  if (startsAt <= slotStartsAt) return true;
  return startsAt < sessionEndsAt(slotStartsAt, rules.timezone, rules.openingHours);
}

function localDate(timezone: string, atMs: number): string {
  const moment = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
  return moment.toPlainDate().toString();
}
