import { english } from '../locales/language.js';
import { longestSessionHours, todayInZone } from './slots.js';
import { timesIn } from './times.js';

/** Days and times in English, for agents, developers and the studio. */
export const {
  timeOfDay,
  dateWords,
  monthWords,
  labelWith,
  hoursWords,
  sessionHours,
  momentWords,
  sessionWords,
  bookingLabel,
  zoneName,
} = timesIn(english);

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
