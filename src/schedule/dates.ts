/**
 * Calendar dates without a time zone: ISO strings `YYYY-MM-DD`, years 0001 to 9999, which compare as
 * strings. The arithmetic is that of the proleptic Gregorian calendar without a year 0000, as in
 * PostgreSQL.
 */

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

/** The English name of an ISO weekday: `Monday`. */
export function weekdayName(weekday: number): string {
  const name = WEEKDAYS[weekday - 1] ?? '';
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** English name in lower case. */
export type WeekdayName = (typeof WEEKDAYS)[number];

/** ISO weekday: 1 is Monday, 7 is Sunday. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export const dayMs = 86_400_000;
const firstDay = Date.parse('0001-01-01') / dayMs;
const lastDay = Date.parse('9999-12-31') / dayMs;

function dayNumber(date: string): number {
  return Date.parse(date) / dayMs;
}

function fromDayNumber(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Whether the text is a date that exists: `2026-02-28` is, `2026-02-30` and `2026-2-3` are not. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  // JavaScript turns 30 February into a date in March: only existing dates survive the round trip.
  const day = dayNumber(text);
  return day >= firstDay && fromDayNumber(day) === text;
}

/** Adds days (or subtracts them), clamped to 0001-01-01 and 9999-12-31. */
export function addDays(date: string, days: number): string {
  return fromDayNumber(Math.min(Math.max(dayNumber(date) + days, firstDay), lastDay));
}

/** Days between two dates; negative if `to` is before `from`. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}

export function weekdayOf(date: string): Weekday {
  // Day 0 of the epoch was a Thursday.
  return (((((dayNumber(date) + 3) % 7) + 7) % 7) + 1) as Weekday;
}
