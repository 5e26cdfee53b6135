import { Temporal } from 'temporal-polyfill';
import type { BookingRow } from '../../database/rows/schema.js';
import type { BookingConflict, ConflictInterval } from '../../domain/studio/conflicts.js';
import type { WatchedCalendar } from '../../domain/studio/watched-calendars.js';
import { count } from '../../schedule/words.js';

/** The busy times of a watched calendar during a session. */
export interface BusyCalendar extends Pick<ConflictInterval, 'calendarId' | 'label' | 'artistId'> {
  /** `2 – 4 PM, 5 – 6 PM`. */
  times: string;
}

/** The busy times of a conflict by calendar, in order. */
export function busyCalendars({ booking, busy }: BookingConflict): BusyCalendar[] {
  const calendars = new Map(busy.map((interval) => [interval.calendarId, interval]));
  return [...calendars.values()].map(({ calendarId, label, artistId }) => ({
    ...{ calendarId, label, artistId },
    times: busy
      .filter((interval) => interval.calendarId === calendarId)
      .map((interval) => busyWords(interval, booking))
      .join(', '),
  }));
}

/**
 * An interval on the clocks of a session: `2 – 4 PM`, `all day`. Dates are named where it is not within
 * the date of the session: `Dec 1, 2 PM – Dec 3, 9 AM`, `Dec 1 – 3, all day`.
 */
export function busyWords(
  { startsAt, endsAt }: Pick<ConflictInterval, 'startsAt' | 'endsAt'>,
  { date, timezone: timeZone }: Pick<BookingRow, 'date' | 'timezone'>,
): string {
  const [starts, ends] = [zoned(startsAt, timeZone), zoned(endsAt, timeZone)];
  // The end is exclusive.
  const last = ends.subtract({ milliseconds: 1 });
  const isWithinDate = [starts, last].every((at) => at.toPlainDate().toString() === date);
  const day = { timeZone, month: 'short', day: 'numeric' } as const;
  if (isMidnight(starts) && isMidnight(ends)) {
    if (isWithinDate) return 'all day';
    return `${rangeWords(day, startsAt, last.epochMilliseconds)}, all day`;
  }
  const time = { timeZone, hour: 'numeric', minute: '2-digit' } as const;
  return rangeWords(
    isWithinDate && !isMidnight(ends) ? time : { ...day, ...time },
    startsAt,
    endsAt,
  );
}

function zoned(at: Date, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone);
}

function isMidnight(at: Temporal.ZonedDateTime): boolean {
  return at.equals(at.startOfDay());
}

function rangeWords(
  format: Intl.DateTimeFormatOptions,
  startsAt: Date,
  endsAt: Date | number,
): string {
  const words = new Intl.DateTimeFormat('en-US', format).formatRange(startsAt, endsAt);
  return words.replaceAll(':00', '').replaceAll(/\s/g, ' ');
}

/** `12 busy times to come`. */
export function busyCountWords({ busyIntervals }: Pick<WatchedCalendar, 'busyIntervals'>): string {
  return `${busyIntervals === 0 ? 'no busy times' : count(busyIntervals, 'busy time')} to come`;
}
