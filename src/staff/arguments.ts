import { InvalidArgumentError } from 'commander';
import { Temporal } from 'temporal-polyfill';
import type { TimeSlot } from '../../generated/schemas.js';
import { databaseUrlHint, isDatabaseUrl } from '../config/validators.js';
import { isAllowed, maxLengthOf, type PersonMember } from '../domain/booking/person.js';
import { checkEmail, type FieldCheck, textOf } from '../domain/studio/fields.js';
import { noSuchDate } from '../domain/studio/words.js';
import { isCalendarDate, WEEKDAYS } from '../schedule/dates.js';
import { endOfDay, timeSlots } from '../schedule/slots.js';

/** Argument parsers for commander: each returns the value or throws what would be valid. */

export function date(text: string): string {
  if (!isCalendarDate(text)) {
    throw new InvalidArgumentError(noSuchDate);
  }
  return text;
}

function databaseUrl(text: string): string {
  if (!isDatabaseUrl(text)) throw new InvalidArgumentError(`Give ${databaseUrlHint}.`);
  return text;
}

/** A data folder, or the address of a database. */
export function installation(text: string): string {
  return /^\w{2,}:/.test(text) ? databaseUrl(text) : text;
}

const timePattern = /^(\d{1,2})(?::(\d{2}))?\s*([ap]m)?$/i;

/** Parses a time of day to `HH:MM`: `9:00 AM`, `9am` and `09:00` all give `09:00`. */
export function timeOfDay(text: string): string {
  const [, hourText, minuteText, half] = timePattern.exec(text.trim()) ?? [];
  const hour = Number(hourText);
  const minute = Number(minuteText ?? 0);
  const isClear = minuteText !== undefined || half !== undefined;
  const isTime = half === undefined ? hour <= 23 : hour >= 1 && hour <= 12;
  if (!isClear || !isTime || minute > 59) {
    throw new InvalidArgumentError('Give a time such as 09:00, 17:30 or "5:30 PM".');
  }
  const hour24 = half === undefined ? hour : (hour % 12) + (/p/i.test(half) ? 12 : 0);
  return `${String(hour24).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** A closing time: midnight is the end of the day, `24:00`. */
export function closingTime(text: string): string {
  if (text.trim() === endOfDay) return endOfDay;
  const time = timeOfDay(text);
  return time === '00:00' ? endOfDay : time;
}

/** Parses hours of a day: `13:00-15:00`, `1pm-3pm`. */
export function hours(text: string): { from: string; to: string } {
  const [from, to, ...rest] = text.split(/[-–]/);
  if (from === undefined || to === undefined || rest.length > 0) {
    throw new InvalidArgumentError('Give hours such as 13:00-15:00 or 1pm-3pm.');
  }
  return { from: timeOfDay(from), to: closingTime(to) };
}

export function timeSlot(text: string): TimeSlot {
  const time = timePattern.test(text.trim()) ? timeOfDay(text) : null;
  const slot = timeSlots.find((known) => timeOfDay(known) === time);
  if (slot === undefined) {
    throw new InvalidArgumentError(
      `Sessions are at ${timeSlots.join(', ')}: give one, as "1:00 PM", 1pm or 13:00.`,
    );
  }
  return slot;
}

/** Parses `all`, `none` or sessions separated by commas; returns them in the order of the day. */
export function sessions(text: string): TimeSlot[] {
  if (/^all$/i.test(text)) return [...timeSlots];
  if (/^none$/i.test(text)) return [];
  const given = text.split(',').map((item) => timeSlot(item));
  return timeSlots.filter((slot) => given.includes(slot));
}

/** Parses a day, its first letters, a range or `all`, and adds the ISO weekdays to `before`. */
export function weekdays(text: string, before: readonly number[] = []): number[] {
  const [first, last, ...rest] = /^all$/i.test(text) ? [1, 7] : text.split('-').map(weekday);
  if (first === undefined || rest.length > 0 || (last !== undefined && last < first)) {
    throw new InvalidArgumentError(
      'Give a range of days in the order of the week, such as tue-fri.',
    );
  }
  const days = Array.from({ length: (last ?? first) - first + 1 }, (_, index) => first + index);
  return [...new Set([...before, ...days])].sort();
}

function weekday(text: string): number {
  const wanted = text.trim().toLowerCase();
  const index = WEEKDAYS.findIndex((day) => wanted.length >= 2 && day.startsWith(wanted));
  if (index === -1) {
    throw new InvalidArgumentError('Give days such as monday, tue, tue-fri or all.');
  }
  return index + 1;
}

/** A parser that gives what `check` makes of the text. */
export function checked(check: FieldCheck): (text: string) => string {
  return (given) => {
    const result = check(given);
    if ('problem' in result) throw new InvalidArgumentError(result.problem);
    return result.value;
  };
}

export const email = checked(checkEmail);

/** Parses text of 1 to `maxLength` characters, trimmed. */
export function text(maxLength: number): (value: string) => string {
  return checked(textOf(maxLength));
}

/** Resolves a parsed time, given the studio's time zone and the current ms since the epoch. */
export type InstantResolver = (timezone: string, now: number) => Date;

const agoUnitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a date or local time of the studio, an RFC 3339 instant, or an age such as `2h`. */
export function instant(value: string): InstantResolver {
  const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(value) ?? [];
  if (number !== undefined) {
    const agoMs = Number(number) * agoUnitMs[unit as keyof typeof agoUnitMs];
    return (_timezone, now) => new Date(now - agoMs);
  }
  try {
    if (/[zZ]|[+-]\d\d:\d\d$/.test(value)) {
      const { epochMilliseconds } = Temporal.Instant.from(value);
      return () => new Date(epochMilliseconds);
    }
    const local = Temporal.PlainDateTime.from(value);
    return (timezone) => new Date(local.toZonedDateTime(timezone).epochMilliseconds);
  } catch {
    throw new InvalidArgumentError('Give a time such as 2026-12-01, 2026-12-01T14:30, 2h or 3d.');
  }
}

/** Parses one or more of the known words, separated by commas. */
export function anyOf<Word extends string>(known: readonly Word[]): (value: string) => Word[] {
  return (value) =>
    value.split(',').map((item) => {
      const word = known.find((candidate) => candidate === item.trim().toLowerCase());
      if (word === undefined) throw new InvalidArgumentError(`Give any of ${known.join(', ')}.`);
      return word;
    });
}

export function wholeNumber(minimum: number, maximum: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < minimum || number > maximum) {
      throw new InvalidArgumentError(`Give a whole number from ${minimum} to ${maximum}.`);
    }
    return number;
  };
}

/** Parses a UUID or a prefix of it, of at least four characters. */
export function idPrefix(value: string): string {
  if (!/^[0-9a-f]{4}[0-9a-f-]{0,32}$/i.test(value)) {
    throw new InvalidArgumentError('Give an id, or at least its first four characters.');
  }
  return value.toLowerCase();
}

/** Whose personal data: that of an address, or that of one booking. */
export type EmailOrId = { email: string } | { idPrefix: string };

/** Parses an e-mail address, or the id of a booking or a prefix of it. */
export function emailOrId(value: string): EmailOrId {
  if (value.includes('@')) return { email: email(value) };
  try {
    return { idPrefix: idPrefix(value) };
  } catch {
    throw new InvalidArgumentError(
      'Give an e-mail address such as ada@example.com, or the id of a booking.',
    );
  }
}

/** Argument parsers for a person's details, with the bounds of the hold request. */
export function personArguments(): Record<PersonMember, (value: string) => string> {
  const limit = (member: PersonMember) => maxLengthOf(member).toLocaleString('en-US');
  return {
    name: allowed('name', `Give a name of at most ${limit('name')} characters that can be seen.`),
    email: allowed('email', 'Give an e-mail address such as ada@example.com.'),
    phone: allowed('phone', 'Give a US telephone number of ten digits, such as 503-555-0142.'),
    pronouns: allowed('pronouns', `Give at most ${limit('pronouns')} characters.`),
    idea: allowed('idea', `Give at most ${limit('idea')} characters.`),
  };
}

function allowed(member: PersonMember, hint: string): (value: string) => string {
  return (value) => {
    if (!isAllowed(member, value)) throw new InvalidArgumentError(hint);
    return value;
  };
}
