import { LRUCache } from 'lru-cache';
import type { TimeSlot } from '../../generated/schemas.js';
import { type Language, once } from '../locales/language.js';
import { type WeekdayName, WEEKDAYS, weekdayOf } from './dates.js';
import { sessionEnds, sessionStarts, type Slot, todayInZone } from './slots.js';
import { type ClosingTime, hoursOn } from './weeks.js';

/** A session: a slot, with its end where one is known. */
export interface Session extends Slot {
  /** RFC 3339, with the studio's offset. Null or absent in a slot, and in events stored before 2.9.0. */
  readonly endsAtText?: string | null;
  /** Null or left out where the artist is not named. */
  readonly artistName?: string | null | undefined;
}

export function sessionOf(booking: {
  date: string;
  time_slot: TimeSlot;
  ends_at_text: string | null;
  artist_name: string | null;
}): Session {
  const { date, time_slot, ends_at_text, artist_name } = booking;
  return { date, timeSlot: time_slot, endsAtText: ends_at_text, artistName: artist_name };
}

/** A time of day, and its half of the day where the language names one. */
interface Clock {
  words: string;
  half: string | undefined;
}

type Times = ReturnType<typeof createTimes>;

const timesByLanguage = new WeakMap<Language, Times>();

/** Days, times and sessions in the words of a language. */
export function timesIn(language: Language): Times {
  const found = timesByLanguage.get(language);
  if (found !== undefined) return found;
  const times = createTimes(language);
  timesByLanguage.set(language, times);
  return times;
}

function createTimes({ t, dates }: Language) {
  const inUtc = (options: Intl.DateTimeFormatOptions) =>
    once(() => dates({ timeZone: 'UTC', ...options }));
  const clock = inUtc({ timeStyle: 'short' });
  const fullDate = inUtc({ dateStyle: 'full' });
  const day = inUtc({ weekday: 'long', month: 'long', day: 'numeric' });
  const wordsLeft: string[] = [];
  const knownHours = new LRUCache<string, string>({ max: 256 });

  /** The time of day in a zone: `3:15 PM`. */
  const timeOfDay = (timezone: string, atMs: number): string =>
    dates({ timeZone: timezone, timeStyle: 'short' }).format(atMs).replace(/\s/, '\u00a0');

  /** Hours, `HH:MM`: `1:00 – 5:00 PM`. */
  const hoursWords = (starts: string, ends: string): string => {
    const known = knownHours.get(starts + ends);
    if (known !== undefined) return known;
    const [from, to] = [starts, ends]
      .map((time) => Date.parse(`1970-01-01T${time}Z`))
      .map((at) => ({
        words: clock().format(at).replace(/\s/, '\u00a0'),
        half: clock()
          .formatToParts(at)
          .find(({ type }) => type === 'dayPeriod')?.value,
      })) as [Clock, Clock];
    const isShared = from.half !== undefined && from.half === to.half;
    const start = isShared ? from.words.replace(`\u00a0${from.half}`, '') : from.words;
    const hours = t('time.hours', { start, end: to.words });
    knownHours.set(starts + ends, hours);
    return hours;
  };

  /** The parts of a calendar date: `Tuesday`, `December`, `1`, `2026`. */
  const dateWords = (date: string) => {
    const parts = fullDate().formatToParts(Date.parse(date));
    const part = (type: Intl.DateTimeFormatPartTypes): string =>
      parts.find((each) => each.type === type)?.value ?? '';
    return { weekday: part('weekday'), month: part('month'), day: part('day'), year: part('year') };
  };

  /** A day: `Tuesday, December 1, 2026`. The year is not named where it is that of the date `known`. */
  const dayWords = (of: string, known?: string): string =>
    (known?.slice(0, 4) === of.slice(0, 4) ? day() : fullDate()).format(Date.parse(of));

  /** A month: `December 2026`. The year is not named where it is that of the date `known`. */
  const monthWords = (of: string, known?: string): string =>
    dates({
      timeZone: 'UTC',
      month: 'long',
      ...(known?.slice(0, 4) !== of.slice(0, 4) && { year: 'numeric' }),
    }).format(Date.parse(of));

  /** A label or a time with its artist, if they are named: `1:00 PM with Mara`. */
  const labelWith = (label: string, artist: string | null): string =>
    artist === null ? label : t('time.with_artist', { time: label, artist });

  /**
   * The hours of a session, on the studio's clock: `1:00 – 5:00 PM`, `9:00 AM – 1:00 PM with Mara`.
   * Without an end of its own it ends by the opening hours of its day (`sessionEnds`). The spaces before
   * the dash and before AM and PM do not break.
   */
  const sessionHours = (
    { date, timeSlot, endsAtText, artistName = null }: Session,
    openingHours: readonly ClosingTime[] = [],
  ): string => {
    const hours = hoursOn(openingHours, weekdayOf(date), date);
    const ends = endsAtText?.slice(11, 16) ?? sessionEnds(timeSlot, hours?.closes ?? null);
    return labelWith(hoursWords(sessionStarts(timeSlot), ends), artistName);
  };

  return {
    timeOfDay,
    dateWords,
    dayWords,
    monthWords,

    /** A date without its weekday: `January 15, 2027`. */
    longDate: (date: string): string =>
      dates({ timeZone: 'UTC', dateStyle: 'long' }).format(Date.parse(date)),

    /** A day of a calendar: `Dec 1`. */
    shortDate: (date: string): string =>
      dates({ timeZone: 'UTC', month: 'short', day: 'numeric' }).format(Date.parse(date)),

    /** A day of the week: `Monday`. */
    weekdayWords: (weekday: WeekdayName): string =>
      // The first of January 2001 was a Monday.
      dates({ timeZone: 'UTC', weekday: 'long' }).format(
        Date.UTC(2001, 0, 1 + WEEKDAYS.indexOf(weekday)),
      ),

    labelWith,
    hoursWords,
    sessionHours,

    /** The time of a slot: `1:00 PM`. */
    slotWords: (timeSlot: TimeSlot): string =>
      clock().format(slotTime(timeSlot)).replace(/\s/, ' '),

    /** The hour of a slot, in a calendar: `1 PM`. */
    slotHour: (timeSlot: TimeSlot): string =>
      dates({ timeZone: 'UTC', hour: 'numeric' })
        .format(slotTime(timeSlot))
        .replace(/\s/, '\u00a0'),

    /**
     * An instant on the clocks of a zone: `Tuesday, December 1 at 9:00 AM`. The year is named unless it
     * is that of `date`, which the reader knows.
     */
    momentWords: (timezone: string, atMs: number, date: string): string =>
      t('time.moment', {
        day: dayWords(todayInZone(timezone, atMs), date),
        time: timeOfDay(timezone, atMs),
      }),

    /**
     * A session with its day: `Tuesday, December 1, 2026, 1:00 – 5:00 PM`. The year is not named where
     * it is that of `date`, which the reader knows.
     */
    sessionWords: (
      session: Session,
      openingHours?: readonly ClosingTime[],
      date?: string,
    ): string =>
      t('time.session', {
        day: dayWords(session.date, date),
        hours: sessionHours(session, openingHours),
      }),

    /** For example `Tuesday, December 1, 2026 at 9:00 AM`. */
    bookingLabel: ({ date, timeSlot }: Slot): string =>
      t('time.moment', {
        day: dayWords(date),
        time: clock().format(slotTime(timeSlot)).replace(/\s/, ' '),
      }),

    /** A duration, rounded up to minutes: `14 more minutes`, `one more minute`. */
    minutesLeft: (milliseconds: number): string => {
      const minutes = wholeMinutes(milliseconds / 1000);
      // A page of a hold has those of every minute.
      return (wordsLeft[minutes] ??= t('time.minutes_left', { minutes }));
    },

    /**
     * The name of a time zone at an instant (ms since the epoch), such as `Pacific Standard Time`
     * (`short`: `PST`) or, without a name, `GMT+03:00`.
     *
     * @throws RangeError when the time zone does not exist
     */
    zoneName: (timezone: string, atMs: number, length: 'long' | 'short' = 'long'): string =>
      dates({ timeZone: timezone, timeZoneName: length })
        .formatToParts(atMs)
        .find((part) => part.type === 'timeZoneName')?.value ?? timezone,
  };
}

/** A duration, rounded up to minutes. */
export function wholeMinutes(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60));
}

/** The time of a slot on the first day of the epoch, as if UTC were the studio's zone. */
function slotTime(timeSlot: TimeSlot): number {
  return Date.parse(`1970-01-01T${sessionStarts(timeSlot)}Z`);
}
