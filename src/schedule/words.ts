import { LRUCache } from 'lru-cache';
import type { TimeSlot } from '../../generated/schemas.js';
import { weekdayOf } from './dates.js';
import {
  type ClosingTime,
  longestSessionHours,
  sessionEnds,
  type Slot,
  todayInZone,
} from './slots.js';

// A formatter is far more expensive to construct than to use.
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 128 });

function formatterOf(
  timezone: string,
  options: Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle' | 'timeZoneName'>,
): Intl.DateTimeFormat {
  const key = `${timezone} ${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-US', { timeZone: timezone, ...options });
  formatters.set(key, formatter);
  return formatter;
}

/** The time of day in a zone: `3:15 PM`. */
export function timeOfDay(timezone: string, atMs: number): string {
  return formatterOf(timezone, { timeStyle: 'short' }).format(atMs).replace(/\s/, '\u00a0');
}

/** The parts of a calendar date: `Tuesday`, `December`, `1`, `2026`. */
export function dateWords(date: string) {
  const parts = formatterOf('UTC', { dateStyle: 'full' }).formatToParts(Date.parse(date));
  const part = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((each) => each.type === type)?.value ?? '';
  return { weekday: part('weekday'), month: part('month'), day: part('day'), year: part('year') };
}

/**
 * An instant on the clocks of a zone: `Tuesday, December 1 at 9:00 AM`. The year is named unless it is
 * that of `date`, which the reader knows.
 */
export function momentWords(timezone: string, atMs: number, date: string): string {
  return `${dayWords(todayInZone(timezone, atMs), date)} at ${timeOfDay(timezone, atMs)}`;
}

/** A day: `Tuesday, December 1, 2026`. The year is not named where it is that of the date `known`. */
export function dayWords(of: string, known?: string): string {
  const { weekday, month, day, year } = dateWords(of);
  const isKnown = known !== undefined && year === dateWords(known).year;
  return `${weekday}, ${month} ${day}${isKnown ? '' : `, ${year}`}`;
}

/** A session: a slot, with its end where one is known. */
export interface Session extends Slot {
  /** RFC 3339, with the studio's offset. Null or left out of a slot, and of an event before 2.9.0. */
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

/**
 * The hours of a session, on the studio's clock: `1:00 – 5:00 PM`, `9:00 AM – 1:00 PM with Mara`. Without
 * an end of its own it ends by the opening hours of its day (`sessionEnds`). The spaces before the dash
 * and before AM and PM do not break.
 */
export function sessionHours(
  { date, timeSlot, endsAtText, artistName = null }: Session,
  openingHours: readonly ClosingTime[] = [],
): string {
  const hours = openingHours.find(({ weekday }) => weekday === weekdayOf(date));
  const ends = endsAtText?.slice(11, 16) ?? sessionEnds(timeSlot, hours?.closes ?? null);
  const end = timeOfDay('UTC', Date.parse(`1970-01-01T${ends}Z`));
  const [start, half = ''] = timeSlot.split(' ');
  const times = `${start}${end.endsWith(half) ? '' : `\u00a0${half}`}\u00a0– ${end}`;
  return labelWith(times, artistName);
}

/**
 * A session with its day: `Tuesday, December 1, 2026, 1:00 – 5:00 PM`. The year is not named where it is
 * that of `date`, which the reader knows.
 */
export function sessionWords(
  session: Session,
  openingHours?: readonly ClosingTime[],
  date?: string,
): string {
  return `${dayWords(session.date, date)}, ${sessionHours(session, openingHours)}`;
}

/** The length of a session, where its time is chosen. */
export const sessionLengthWords = `about ${longestSessionHours} hours`;

/** `1 booking`, `2 bookings`; `3 days`, `3 deliveries`, `3 processes`. */
export function count(number: number, noun: string): string {
  const plural = `${noun}s`.replace(/(?<=[^aeiou])ys$/, 'ies').replace(/(?<=s|x|ch|sh)s$/, 'es');
  return `${number} ${number === 1 ? noun : plural}`;
}

/** A number of times: `once`, `twice`, `3 times`. */
export function timesWords(number: number): string {
  if (number === 1) return 'once';
  return number === 2 ? 'twice' : `${number} times`;
}

/**
 * The time left of a hold, in plain text: `for 15 minutes, until 10:15 AM in Portland`. The date is named
 * if it differs from the studio's when the hold was placed. Null as `city`: the words of versions before
 * 2.9.2, `until 10:15 AM, the studio's time (America/Los_Angeles)`, which their replays keep.
 */
export function holdSpanWords(
  timezone: string,
  placedAtMs: number,
  endsAtMs: number,
  city: string | null,
): string {
  const placedOn = todayInZone(timezone, placedAtMs);
  const endsToday = todayInZone(timezone, endsAtMs) === placedOn;
  const end = endsToday ? timeOfDay(timezone, endsAtMs) : momentWords(timezone, endsAtMs, placedOn);
  const until = `until ${end.replace('\u00a0', ' ')}`;
  if (city === null) return `${until}, the studio's time (${timezone})`;
  return `for ${durationWords(Math.round((endsAtMs - placedAtMs) / 1000))}, ${until} in ${city}`;
}

/** A duration, exactly: `15 minutes`, `1 minute`, `90 seconds`. */
export function durationWords(seconds: number): string {
  return seconds % 60 === 0 ? count(seconds / 60, 'minute') : count(seconds, 'second');
}

/** A duration, rounded up to minutes: `15 minutes`, `a minute`. */
export function minutesWords(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

/** A duration, rounded up to minutes: `14 more minutes`, `one more minute`. */
export function minutesLeft(milliseconds: number): string {
  const minutes = Math.max(1, Math.ceil(milliseconds / 60_000));
  return minutes === 1 ? 'one more minute' : `${minutes} more minutes`;
}

/** A text whose times of day and days of a month stay on one line: `1:00 PM`, `December 1`. */
export function unbroken(text: string): string {
  return text.replaceAll(/ (?=[AP]M\b|\d{1,2}(?![\d:]))/g, '\u00a0');
}

/** Ten digits as people write them: `(555) 555-0142`. */
export function phoneWords(phone: string): string {
  return phone.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');
}

/**
 * A masked e-mail address for the checkout page and for agents: recognizable to its owner only, because
 * link previews and transcripts store it.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return `${first}•••${email.slice(at)}`;
}

export function maskPhone(phone: string): string {
  return `•••${phone.slice(-4)}`;
}

/** The link that dials a number: ten digits, as a person's is stored, or a number as a studio writes it. */
export function phoneUri(phone: string): string {
  const digits = phone.replaceAll(/[^+\d]/g, '');
  return `tel:${/^\d{10}$/.test(phone) ? '+1' : ''}${digits}`;
}

/** For example `Tuesday, December 1, 2026 at 9:00 AM`. */
export function bookingLabel(slot: Slot): string {
  const date = formatterOf('UTC', { dateStyle: 'full' }).format(Date.parse(slot.date));
  return `${date} at ${slot.timeSlot}`;
}

/** A label or a time with its artist, if they are named: `1:00 PM with Mara`. */
export function labelWith(label: string, artistName: string | null): string {
  return artistName === null ? label : `${label} with ${artistName}`;
}

/**
 * The English name of a time zone at an instant (ms since the epoch), such as `Pacific Standard Time`
 * (`short`: `PST`) or, without a name, `GMT+03:00`.
 *
 * @throws RangeError when the time zone does not exist
 */
export function zoneName(
  timezone: string,
  atMs: number,
  length: 'long' | 'short' = 'long',
): string {
  const parts = formatterOf(timezone, { timeZoneName: length }).formatToParts(atMs);
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? timezone;
}
