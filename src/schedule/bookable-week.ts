import type { TimeSlot } from '../../generated/schemas.js';
import type { Calendar } from './calendar.js';
import type { Weekday } from './dates.js';
import { sessionEnds, sessionStarts, timeSlots } from './slots.js';

/** The bookable times of a weekday, with anybody. Times are `HH:MM`, on the studio's clock. */
export interface BookableDay {
  readonly weekday: Weekday;
  /** Both null when closed. */
  readonly opens: string | null;
  readonly closes: string | null;
  /** In the order of the day; `ends` is the latest end of any artist's. */
  readonly sessions: readonly { readonly timeSlot: TimeSlot; readonly ends: string }[];
}

interface Weeks {
  /** The studio's hours, one row for each weekday. */
  openingHours: readonly { weekday: number; opens: string | null; closes: string | null }[];
  sessions: Calendar['artists'][number]['sessions'];
  calendar: Pick<Calendar, 'artists'>;
}

/**
 * An ordinary week, without closures and opened days. The opening hours of a day include artists'
 * sessions outside of them, and are left out if nobody works the sessions of the studio's week; a day
 * with hours and without sessions keeps them.
 */
export function bookableWeek({ openingHours, sessions: studioWeek, calendar }: Weeks) {
  const artists = calendar.artists.filter(({ isHidden }) => !isHidden);
  return openingHours.map((day): BookableDay => {
    const weekday = day.weekday as Weekday;
    const sessions = timeSlots
      .filter((timeSlot) => artists.some((artist) => artist.sessions[weekday].includes(timeSlot)))
      .map((timeSlot) => ({ timeSlot, ends: sessionEnds(timeSlot, day.closes) }));
    const isUnstaffed = sessions.length === 0 && studioWeek[weekday].length > 0;
    const times = [
      ...(isUnstaffed || day.opens === null || day.closes === null ? [] : [day.opens, day.closes]),
      ...sessions.flatMap(({ timeSlot, ends }) => [sessionStarts(timeSlot), ends]),
    ].sort();
    return { weekday, opens: times[0] ?? null, closes: times.at(-1) ?? null, sessions };
  });
}
