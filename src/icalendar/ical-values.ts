import type { ICalCalendar, ICalEvent } from 'ical-generator';
import { Temporal } from 'temporal-polyfill';
import { sessionEndsAt, zonedText } from '../schedule/slots.js';
import type { ClosingTime } from '../schedule/weeks.js';

/** PRODID (RFC 5545, 3.7.3) of a file of this service. */
export function prodId(product: 'checkout' | 'feed') {
  return { company: 'tattoo-studio-booking', product, language: 'EN' };
}

/** Replaces control characters other than line breaks, which RFC 5545 (3.3.11) forbids in text. */
export function textValue(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]/g, ' ');
}

/** Like `textValue`, on one line. */
export function lineValue(text: string): string {
  return textValue(text)
    .replace(/[\r\n\t]+/g, ' ')
    .trim();
}

/**
 * The local time in a zone, as text: the library does not convert it. In UTC, which it writes without
 * a zone, it reads the text as an instant.
 */
export function wallClock(atMs: number, timezone: string): string {
  const moment = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
  const local = moment.toPlainDateTime().toString({ smallestUnit: 'second' });
  return timezone === 'UTC' ? `${local}Z` : local;
}

/**
 * The times of a session. It is written in its own zone, or in UTC if this process's data of that zone
 * differ from those of its start: the instant is right in either case. Without an end, it ends by the
 * studio's present hours.
 */
export function sessionTimes(
  { startsAtText, endsAt: storedEnd, timezone: own }: WrittenSession,
  openingHours: readonly ClosingTime[],
) {
  const startsAt = Date.parse(startsAtText);
  const endsAt = storedEnd ?? sessionEndsAt(startsAt, own, openingHours);
  const timezone = zonedText(startsAt, own) === startsAtText ? own : 'UTC';
  const [start, end] = [wallClock(startsAt, timezone), wallClock(endsAt, timezone)];
  return { range: { from: startsAt, to: endsAt }, written: { timezone, start, end } };
}

export interface WrittenSession {
  /** RFC 3339. */
  startsAtText: string;
  /** Milliseconds since the epoch; null if unknown. */
  endsAt: number | null;
  timezone: string;
}

/**
 * A calendar as text, with its time zones (`timeZoneComponent`) and events. The library does not fold
 * these, since it would encode each character on its own.
 */
export function calendarText(
  calendar: ICalCalendar,
  zones: readonly string[],
  events: readonly ICalEvent[],
): string {
  return [
    ...calendar.toString().split('\r\n').slice(0, -1),
    ...zones,
    ...events.map((event) => foldLines(event.toString().trimEnd())),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

/** The limit of a line, and of a continuation without its space, as the library folds. */
const maxLineBytes = 74;

/** Folds lines between characters, so that none has more than 75 octets (RFC 5545, 3.1). */
function foldLines(text: string): string {
  return text.split('\r\n').map(foldLine).join('\r\n');
}

function foldLine(line: string): string {
  const octets = Buffer.from(line);
  if (octets.length <= maxLineBytes) return line;
  const parts: string[] = [];
  for (let start = 0, end = 0; start < octets.length; start = end) {
    end = Math.min(start + maxLineBytes, octets.length);
    // The octets of a character after its first begin with the bits 10.
    while (((octets[end] ?? 0) & 0xc0) === 0x80) end -= 1;
    parts.push(octets.toString('utf8', start, end));
  }
  return parts.join('\r\n ');
}
