import type { TimeSlot } from '../../generated/schemas.js';
import type { Weekday } from './dates.js';

/** A weekday from one date to another, inclusive; without dates, of the week that goes on. */
export interface DatedDay {
  readonly weekday: number;
  readonly from_date?: string | null;
  readonly to_date?: string | null;
}

/** When a weekday closes. */
export interface ClosingTime extends DatedDay {
  /** Null or left out: the studio's. */
  readonly artist_id?: number | null;
  /** `HH:MM`. Null: closed, or of an artist, that of the studio on the date. */
  readonly closes: string | null;
}

/** A stored day of a week, of the studio or an artist. */
export interface WeekDay extends ClosingTime {
  readonly artist_id: number | null;
  readonly opens: string | null;
  readonly sessions: readonly TimeSlot[];
}

/** The sessions of a week: those of dates come before those of every week. */
export interface WeekSessions {
  readonly sessions: Readonly<Record<Weekday, readonly TimeSlot[]>>;
  readonly dated: readonly (DatedDay & { readonly sessions: readonly TimeSlot[] })[];
}

export function isDated({ from_date: from = null }: DatedDay): boolean {
  return from !== null;
}

/** Whether a day counts on a date of its weekday; `date` null: in every week. */
function isOf(day: DatedDay, weekday: number, date: string | null): boolean {
  const { from_date: from = null, to_date: to = null } = day;
  if (day.weekday !== weekday) return false;
  return from === null || to === null || (date !== null && from <= date && date <= to);
}

/**
 * The days that decide for an artist (null: the studio), the most special first: the artist's of dates,
 * the artist's own, the studio's of dates, the studio's. The first that is of a date decides
 * (`dayOn`); `sessionsOn` (`repositories/weeks.ts`) is the same in SQL.
 */
export function daysFor<Day extends WeekDay>(days: readonly Day[], artistId: number | null): Day[] {
  const rank = (day: Day) => (day.artist_id === null ? 2 : 0) + (isDated(day) ? 0 : 1);
  return days
    .filter(({ artist_id: id }) => id === null || id === artistId)
    .sort((one, other) => rank(one) - rank(other));
}

/** The day that decides on a date; `date` null: in an ordinary week. */
export function dayOn<Day extends DatedDay>(
  days: readonly Day[],
  weekday: number,
  date: string | null,
): Day | undefined {
  return days.find((day) => isOf(day, weekday, date));
}

/** The day that decides about the hours: an artist's day without hours has the studio's. */
export function hoursOn<Day extends ClosingTime>(
  days: readonly Day[],
  weekday: number,
  date: string | null,
): Day | undefined {
  const day = dayOn(days, weekday, date);
  const isStudios = day?.artist_id == null || day.closes !== null;
  const studios = days.filter(({ artist_id: id }) => id == null);
  return isStudios ? day : dayOn(studios, weekday, date);
}

/** The sessions that the days of `daysFor` give. */
export function weekSessions(days: readonly WeekDay[]): WeekSessions {
  const sessions = [1, 2, 3, 4, 5, 6, 7].map((weekday) => [
    weekday,
    dayOn(days, weekday, null)?.sessions ?? [],
  ]);
  return {
    sessions: Object.fromEntries(sessions) as WeekSessions['sessions'],
    // The studio's dates do not count where the artist has a day of their own.
    dated: days.filter(
      (day, index) =>
        isDated(day) && !days.slice(0, index).some((each) => isOf(each, day.weekday, null)),
    ),
  };
}

/** The sessions of a week on a date. */
export function sessionsOn(
  { sessions, dated }: WeekSessions,
  { date, weekday }: { date: string; weekday: Weekday },
): readonly TimeSlot[] {
  return dayOn(dated, weekday, date)?.sessions ?? sessions[weekday];
}
