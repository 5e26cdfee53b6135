import { isDeepStrictEqual } from 'node:util';
import type { TimeSlot } from '../../generated/schemas.js';
import type { Calendar } from './calendar.js';
import { addDays, daysBetween, type Weekday, weekdayOf } from './dates.js';
import { sessionEnds, sessionStarts, timeSlots } from './slots.js';
import { type ClosingTime, dayOn, hoursOn, sessionsOn, type WeekSessions } from './weeks.js';

/** The bookable times of a weekday, with anybody. Times are `HH:MM`, on the studio's clock. */
export interface BookableDay {
  readonly weekday: Weekday;
  /** Both null when closed. */
  readonly opens: string | null;
  readonly closes: string | null;
  /** In the order of the day; `ends` is the latest end of any artist's. */
  readonly sessions: readonly { readonly timeSlot: TimeSlot; readonly ends: string }[];
}

/** The days from one date to another, inclusive, that differ from those of an ordinary week. */
export interface DatedHours {
  readonly from: string;
  readonly to: string;
  readonly days: readonly BookableDay[];
}

interface Weeks extends WeekSessions {
  /** The studio's hours, in the order of `daysFor`. */
  openingHours: readonly (ClosingTime & { opens: string | null })[];
  calendar: Pick<Calendar, 'artists'>;
}

const weekdays: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7];

/**
 * An ordinary week, without closures, opened days and weeks of dates. The opening hours of a day include
 * artists' sessions outside of them, and are left out if nobody works the sessions of the studio's week; a
 * day with hours and without sessions keeps them.
 */
export function bookableWeek(weeks: Weeks): BookableDay[] {
  return weekdays.map((weekday) => bookableDay(weeks, weekday, null));
}

/** What the weeks of dates change, from a date on, in their order. */
export function datedHours(weeks: Weeks, today: string): DatedHours[] {
  const shown = weeks.calendar.artists.filter(({ isHidden }) => !isHidden);
  const ranges = [weeks, ...shown].flatMap(({ dated }) =>
    dated.flatMap(({ from_date: from, to_date: to }) =>
      from == null || to == null || to < today ? [] : [{ from, to }],
    ),
  );
  const hours = shown.flatMap((artist) => artist.hours).concat(weeks.openingHours);
  for (const { from_date: from, to_date: to } of hours) {
    if (from != null && to != null && to >= today) ranges.push({ from, to });
  }
  const cuts = [...new Set(ranges.flatMap(({ from, to }) => [from, addDays(to, 1)]))].sort();
  const all: DatedHours[] = [];
  for (const [index, from] of cuts.entries()) {
    const next = cuts[index + 1];
    if (next === undefined || next <= today) continue;
    const to = addDays(next, -1);
    const days = daysIn(weeks, from, to);
    const last = all.at(-1);
    if (days.length === 0) continue;
    const isSame = last?.to === addDays(from, -1) && isDeepStrictEqual(last.days, days);
    if (isSame) all.splice(-1, 1, { ...last, to });
    else all.push({ from, to, days });
  }
  return all;
}

/** The days among dates on which the same stored days count, if they differ from those of every week. */
function daysIn(weeks: Weeks, from: string, to: string): BookableDay[] {
  const days = Array.from({ length: Math.min(7, daysBetween(from, to) + 1) }, (_, index) => {
    const date = addDays(from, index);
    return bookableDay(weeks, weekdayOf(date), date);
  });
  return days
    .filter((day) => !isDeepStrictEqual(day, bookableDay(weeks, day.weekday, null)))
    .sort((one, other) => one.weekday - other.weekday);
}

function bookableDay(weeks: Weeks, weekday: Weekday, date: string | null): BookableDay {
  const artists = weeks.calendar.artists.filter(({ isHidden }) => !isHidden);
  const inWeek = (week: WeekSessions) =>
    date === null ? week.sessions[weekday] : sessionsOn(week, { date, weekday });
  const sessions = timeSlots.flatMap((timeSlot) => {
    const ends = artists
      .filter((artist) => inWeek(artist).includes(timeSlot))
      .map(({ hours }) => sessionEnds(timeSlot, hoursOn(hours, weekday, date)?.closes ?? null));
    return ends.length === 0 ? [] : [{ timeSlot, ends: ends.sort().at(-1) ?? '' }];
  });
  const { opens = null, closes = null } = dayOn(weeks.openingHours, weekday, date) ?? {};
  const isUnstaffed = sessions.length === 0 && inWeek(weeks).length > 0;
  const times = [
    ...(isUnstaffed || opens === null || closes === null ? [] : [opens, closes]),
    ...sessions.flatMap(({ timeSlot, ends }) => [sessionStarts(timeSlot), ends]),
  ].sort();
  return { weekday, opens: times[0] ?? null, closes: times.at(-1) ?? null, sessions };
}
