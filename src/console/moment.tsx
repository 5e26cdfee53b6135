import { createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Artist } from '../schedule/artists.js';
import type { Session } from '../schedule/times.js';
import type { ClosingTime } from '../schedule/weeks.js';
import { dateWords, sessionHours } from '../schedule/words.js';

/** Formats an instant. Formatters are expensive to construct: there is one for a page. */
export type FormatMoment = (instant: Date) => string;

/** What every part of a page knows of the studio. */
export interface PageContext {
  /** The closing times by which sessions end whose bookings store no end. */
  openingHours: readonly ClosingTime[];
  hasMail: boolean;
  /** The artists who are named: nobody where the studio has one. */
  artists: readonly Artist[];
  /** The artist who is signed in; null: the owner. */
  own: Artist | null;
  /** Milliseconds since the epoch. */
  now: number;
  format: FormatMoment;
}

export const PageContext = createContext<PageContext>({
  openingHours: [],
  hasMail: false,
  artists: [],
  own: null,
  now: 0,
  format: String,
});

/** Instants on the studio's clocks: `Dec 1, 9:00 AM`, with the year if it is not that of `now`. */
export function momentFormat(timezone: string, now: number): FormatMoment {
  const inYear = new Intl.DateTimeFormat('en-US', { timeZone: timezone, year: 'numeric' });
  const short = { timeZone: timezone, month: 'short', day: 'numeric' } as const;
  const time = { hour: 'numeric', minute: '2-digit' } as const;
  const thisYear = new Intl.DateTimeFormat('en-US', { ...short, ...time });
  const otherYear = new Intl.DateTimeFormat('en-US', { ...short, year: 'numeric', ...time });
  const year = inYear.format(now);
  return (instant) => {
    const words = (inYear.format(instant) === year ? thisYear : otherYear).format(instant);
    // A line break separates neither day and month, nor AM or PM and the time.
    return words.replace(/ (?=\d+,)|\s(?=[AP]M)/g, '\u00a0');
  };
}

/** An instant as `format` writes it, or as the page does; nothing for null. */
export function Moment({ at, format }: { at: Date | null; format?: FormatMoment }): VNode | null {
  const shown = useContext(PageContext);
  return at && <time dateTime={at.toISOString()}>{(format ?? shown.format)(at)}</time>;
}

/** `Thursday, December 24, 2026`. */
export function longDate(date: string): string {
  return `${longDay(date)}, ${dateWords(date).year}`;
}

/** `Thu, Dec 24, 2026`; without the year where that is the year of `known`. */
export function shortDate(date: string, known = ''): string {
  const { weekday, month, day, year } = dateWords(date);
  const short = `${weekday.slice(0, 3)}, ${month.slice(0, 3)} ${day}`;
  return known.startsWith(year) ? short : `${short}, ${year}`;
}

/** `Thursday, December 24`. */
export function longDay(date: string): string {
  const { weekday, month, day } = dateWords(date);
  return `${weekday}, ${month} ${day}`;
}

/** The hours of a session: `1:00 – 5:00 PM`, `1:00 – 5:00 PM with Mara`. */
export function Hours({ of: { artistName = null, ...of } }: { of: Session }): VNode {
  const { openingHours } = useContext(PageContext);
  return (
    <>
      <span class="session-hours">{sessionHours(of, openingHours)}</span>
      {artistName !== null && (
        <>
          {' with '}
          <bdi>{artistName}</bdi>
        </>
      )}
    </>
  );
}

/** The day and hours: `Tuesday, December 1, 2026, 1:00 – 5:00 PM`. */
export function DayAndHours({ of }: { of: Session }): VNode {
  return (
    <>
      {longDate(of.date)}, <Hours of={of} />
    </>
  );
}

/** The day and hours in short: `Tue, Dec 1, 2026, 1:00 – 5:00 PM`. `known`: see `shortDate`. */
export function ShortDayAndHours({ of, known }: { of: Session; known?: string }): VNode {
  return (
    <>
      {shortDate(of.date, known)}, <Hours of={of} />
    </>
  );
}
