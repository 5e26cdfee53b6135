import { UnreadableCalendarError } from './property.js';

const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;

/** A recurrence rule (RFC 5545, 3.3.10). Parts that it does not have are null. */
export interface Rule {
  readonly frequency: (typeof frequencies)[number];
  readonly interval: number;
  /** `Infinity` if it has none. */
  readonly count: number;
  readonly seconds: readonly number[] | null;
  readonly minutes: readonly number[] | null;
  readonly hours: readonly number[] | null;
  readonly weekdays: readonly RuleWeekday[] | null;
  readonly monthDays: readonly number[] | null;
  readonly yearDays: readonly number[] | null;
  readonly weekNumbers: readonly number[] | null;
  readonly months: readonly number[] | null;
  /** BYSETPOS */
  readonly positions: readonly number[] | null;
  /** The weekday with which weeks begin, as in `RuleWeekday`. */
  readonly weekStart: number;
  /** The substitute of a day that its month does not have (RFC 7529, 4.1). */
  readonly skip: 'OMIT' | 'BACKWARD' | 'FORWARD';
}

export interface RuleWeekday {
  /** 0 is Sunday. */
  readonly weekday: number;
  /** The n-th in its month or year, from the end if negative; 0 for each. */
  readonly nth: number;
}

/** The longest rule: one with complete parts is shorter. */
const maxLength = 10_000;

const skips = ['OMIT', 'BACKWARD', 'FORWARD'] as const;

const weekdayNames = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/**
 * The rule, and its last date as written. Parts that are unknown, empty, or mean nothing at its frequency
 * are ignored.
 *
 * @throws UnreadableCalendarError when a part is invalid, or is an extension that changes dates; also
 *   when the rule repeats within a day (HOURLY, MINUTELY, SECONDLY)
 */
export function parseRule(value: string): { rule: Rule; until: string | null } {
  if (value.length > maxLength) throw new UnreadableCalendarError();
  const parts = new Map<string, string>();
  for (const part of value.toUpperCase().split(';')) {
    const [name = '', text = ''] = part.split('=', 2);
    if (text.trim() !== '') parts.set(name.trim(), text.trim());
  }
  const frequency = frequencies.find((each) => each === parts.get('FREQ'));
  // RFC 7529: calendars other than the Gregorian.
  const isGregorian = (parts.get('RSCALE') ?? 'GREGORIAN') === 'GREGORIAN';
  const skip = skips.find((each) => each === (parts.get('SKIP') ?? 'OMIT'));
  if (frequency === undefined || !isGregorian || skip === undefined) {
    throw new UnreadableCalendarError();
  }

  const numbers = (name: string, from: number, to: number): readonly number[] | null => {
    const text = parts.get(name);
    return text === undefined ? null : numberList(text, from, to);
  };
  const isYearly = frequency === 'YEARLY';
  const positions = numbers('BYSETPOS', -366, 366);
  const rule: Rule = {
    frequency,
    // Some calendars write 0.
    interval: Math.max(1, numbers('INTERVAL', 0, 999_999_999)?.[0] ?? 1),
    count: numbers('COUNT', 1, 999_999_999)?.[0] ?? Infinity,
    seconds: numbers('BYSECOND', 0, 60),
    minutes: numbers('BYMINUTE', 0, 59),
    hours: numbers('BYHOUR', 0, 23),
    weekdays: weekdayList(parts.get('BYDAY')),
    // The table of RFC 5545, 3.3.10, says where a part does not apply.
    monthDays: frequency === 'WEEKLY' ? null : numbers('BYMONTHDAY', -31, 31),
    yearDays: isYearly ? numbers('BYYEARDAY', -366, 366) : null,
    weekNumbers: isYearly ? numbers('BYWEEKNO', -53, 53) : null,
    months: numbers('BYMONTH', 1, 12),
    // There is no position 0.
    positions: positions?.filter((position) => position !== 0) ?? null,
    weekStart: weekdayOf(parts.get('WKST') ?? 'MO'),
    skip,
  };
  return { rule, until: parts.get('UNTIL') ?? null };
}

/** Ascending, each once. */
function numberList(text: string, from: number, to: number): number[] {
  const list = listOf(text).map((each) => {
    const number = Number(each);
    const isValid = /^[+-]?\d{1,9}$/.test(each) && from <= number && number <= to;
    if (!isValid) throw new UnreadableCalendarError();
    return number;
  });
  return [...new Set(list)].sort((one, other) => one - other);
}

/** The items of a list without empty values. */
function listOf(text: string): string[] {
  return text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
}

function weekdayList(text: string | undefined): RuleWeekday[] | null {
  if (text === undefined) return null;
  return listOf(text).map((each) => {
    const match = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(each);
    if (match === null) throw new UnreadableCalendarError();
    return { nth: Number(match[1] ?? 0), weekday: weekdayOf(match[2] ?? '') };
  });
}

function weekdayOf(name: string): number {
  const weekday = weekdayNames.indexOf(name);
  if (weekday === -1) throw new UnreadableCalendarError();
  return weekday;
}
