import type { CalendarEvent } from './calendar-event.js';
import type { OccurrenceBudget } from './limits.js';
import {
  type CalendarZones,
  inZoneOf,
  type Length,
  lengthBetween,
  type Moment,
  parseDuration,
  parseMoment,
} from './moments.js';
import { type Property, valuesOf } from './property.js';
import { ruleInstances } from './rule-instances.js';
import { dateOf, type LocalMs, type LocalRange } from './zones.js';

export interface Instance {
  readonly start: Moment;
  /** Its own, or null for the event's. */
  readonly length: Length | null;
}

/**
 * The instances of a recurring event within a range, some perhaps twice, with those excluded: its
 * start, those of its rules and its dates (RFC 5545, 3.8.5). A rule or date that cannot be read is told.
 */
export function* instancesOf(
  event: CalendarEvent,
  range: LocalRange,
  budget: OccurrenceBudget,
): Generator<Instance> {
  const { start, rules, dates, text } = event;
  if (isWithin(start.local, range)) yield { start, length: null };
  for (const { value, line } of rules) {
    const scope = { range, zones: text.zones, budget };
    const times = text.readOrTell(line, 'rule', () => ruleInstances(value, start, scope)) ?? [];
    for (const local of times) {
      if (isWithin(local, range)) yield { start: { ...start, local }, length: null };
    }
  }
  for (const property of dates) {
    for (const value of valuesOf(property)) {
      budget.spend();
      const instance = text.readOrTell(property.line, 'date', () =>
        listedInstance(value, property, event),
      );
      if (instance !== null && isNear(instance, range)) yield instance;
    }
  }
}

export function isWithin(local: LocalMs, { from, to }: LocalRange): boolean {
  return from <= local && local <= to;
}

/** A period may be longer than the event, from which the range is computed. */
function isNear({ start, length }: Instance, range: LocalRange): boolean {
  return length === null ? isWithin(start.local, range) : start.local <= range.to;
}

/** A date or a period that an event lists. */
function listedInstance(
  value: string,
  property: Property,
  { start, text: { zones } }: CalendarEvent,
): Instance {
  if (value.includes('/')) return parsePeriod(value, property, zones);
  const moment = inZoneOf(start, parseMoment(value, property, zones));
  return { start: likeStart(moment, start), length: null };
}

/**
 * A period: its start, and its end or duration (RFC 5545, 3.3.9).
 *
 * @throws UnreadableCalendarError when it cannot be read
 */
export function parsePeriod(
  value: string,
  property: Property,
  zones: CalendarZones,
): { start: Moment; length: Length } {
  const [first = '', rest = ''] = value.split('/', 2).map((part) => part.trim());
  const start = parseMoment(first, property, zones);
  const length = /^[+-]?P/i.test(rest)
    ? parseDuration(rest, start)
    : lengthBetween(start, parseMoment(rest, property, zones));
  return { start, length };
}

/** A date for an event at a time of day is the date at that time, and the reverse. */
function likeStart(moment: Moment, start: Moment): Moment {
  if (moment.isDate === start.isDate) return moment;
  const date = dateOf(moment.local);
  return { ...start, local: start.isDate ? date : date + (start.local - dateOf(start.local)) };
}
