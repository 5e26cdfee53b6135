import { isDeepStrictEqual } from 'node:util';
import type { TimeSlot } from '../../generated/schemas.js';
import { type ArtistCalendar, type Calendar, isThere } from './calendar.js';
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
  /** Null: from then on. */
  readonly to: string | null;
  readonly days: readonly BookableDay[];
}

interface Weeks extends WeekSessions {
  /** The studio's hours, in the order of `daysFor`. */
  openingHours: readonly (ClosingTime & { opens: string | null })[];
  calendar: Pick<Calendar, 'artists'>;
  /** In the studio's time zone. */
  today: string;
}

const weekdays: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7];

/**
 * An ordinary week, without closures, opened days and weeks of dates. It is with the artists who are there
 * today, or if nobody is, on the first date on which somebody is: one who begins in three days is in
 * `datedHours` from then on, and so is what remains after the last day of another. The opening hours of a
 * day include artists' sessions outside of them, and are left out if nobody works the sessions of the
 * studio's week; a day with hours and without sessions keeps them.
 */
export function bookableWeek(weeks: Weeks): BookableDay[] {
  const artists = artistsOn(weeks, ordinaryDate(weeks));
  return weekdays.map((weekday) => bookableDay(weeks, artists, weekday, null));
}

function artistsOn({ calendar }: Weeks, date: string): ArtistCalendar[] {
  return calendar.artists.filter((artist) => !artist.isHidden && isThere(artist, date));
}

/** The first date from today on on which an artist is there; today if there is none. */
function ordinaryDate({ calendar, today }: Weeks): string {
  const [first = today] = calendar.artists
    .filter(({ isHidden, lastDay }) => !isHidden && (lastDay ?? today) >= today)
    .map(({ firstDay }) => firstDay ?? today)
    .sort();
  return first > today ? first : today;
}

/** What the weeks of dates and artists' first and last days change, from today on, in their order. */
export function datedHours(weeks: Weeks): DatedHours[] {
  const { calendar, openingHours, today } = weeks;
  const shown = calendar.artists.filter(({ isHidden }) => !isHidden);
  const ranges = [...shown.flatMap(({ hours }) => hours), ...openingHours].flatMap(
    ({ from_date: from, to_date: to }) =>
      from == null || to == null || to < today ? [] : [from, addDays(to, 1)],
  );
  const stays = shown.flatMap(({ firstDay, lastDay }) => [
    ...(firstDay !== null && firstDay > today ? [firstDay] : []),
    ...(lastDay !== null && lastDay >= today ? [addDays(lastDay, 1)] : []),
  ]);
  const isNobodyThere = ordinaryDate(weeks) > today;
  const cuts = [...new Set([...(isNobodyThere ? [today] : []), ...ranges, ...stays])].sort();
  const usual = bookableWeek(weeks);
  const all: DatedHours[] = [];
  for (const [index, from] of cuts.entries()) {
    const next = cuts[index + 1] ?? null;
    if (next !== null && next <= today) continue;
    const to = next === null ? null : addDays(next, -1);
    const changed = daysIn(weeks, from, to, usual);
    const last = all.at(-1);
    if (changed.length === 0) continue;
    const isSame = last?.to === addDays(from, -1) && isDeepStrictEqual(last.days, changed);
    if (isSame) all.splice(-1, 1, { ...last, to });
    else all.push({ from, to, days: changed });
  }
  return all;
}

/** The days among dates on which the same stored days count, if they differ from the usual ones. */
function daysIn(
  weeks: Weeks,
  from: string,
  to: string | null,
  usual: readonly BookableDay[],
): BookableDay[] {
  const length = to === null ? 7 : Math.min(7, daysBetween(from, to) + 1);
  return Array.from({ length }, (_, index) => addDays(from, index))
    .map((date) => bookableDay(weeks, artistsOn(weeks, date), weekdayOf(date), date))
    .filter((day) => !isDeepStrictEqual(day, usual[day.weekday - 1]))
    .sort((one, other) => one.weekday - other.weekday);
}

function bookableDay(
  weeks: Weeks,
  artists: readonly ArtistCalendar[],
  weekday: Weekday,
  date: string | null,
): BookableDay {
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
