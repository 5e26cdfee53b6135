import ICAL from 'ical.js';
import { zoneMarginMs, type CalendarEvent } from './calendar-event.js';
import type { OccurrenceBudget } from './limits.js';
import {
  instantOf,
  lengthBetween,
  lengthOf,
  parseMoment,
  type Length,
  type Moment,
} from './moments.js';
import type { Property } from './property.js';
import { ruleTimes } from './rule-times.js';
import { parseRule, type Rule } from './rule.js';
import { dateOf, utcZone, type LocalMs, type LocalRange } from './zones.js';

export interface Instance {
  readonly start: Moment;
  /** Its own, or null for the event's. */
  readonly length: Length | null;
}

/**
 * The instances of a recurring event within a range, some perhaps twice, with those excluded: its
 * start, those of its rules and its dates (RFC 5545, 3.8.5).
 */
export function* instancesOf(
  event: CalendarEvent,
  range: LocalRange,
  budget: OccurrenceBudget,
): Generator<Instance> {
  const { start } = event;
  if (isWithin(start.local, range)) yield { start, length: null };
  for (const rule of event.rules) {
    for (const local of timesAfterStart(rule, event, range, budget)) {
      if (isWithin(local, range)) yield { start: { ...start, local }, length: null };
    }
  }
  yield* listedDates(event, range, budget);
}

export function isWithin(local: LocalMs, { from, to }: LocalRange): boolean {
  return from <= local && local <= to;
}

/** The local times of a rule after the event's start, until the end of the range. */
function* timesAfterStart(
  property: Property,
  { start, text: { zones } }: CalendarEvent,
  range: LocalRange,
  budget: OccurrenceBudget,
): Generator<LocalMs> {
  const { rule, until } = ruleOf(property);
  const limit = until === undefined ? null : limitOf(parseMoment(until, untilLike, zones), start);
  const to = limit === null ? range.to : Math.min(range.to, limit.local + zoneMarginMs);
  if (to < Math.max(start.local, range.from)) return;
  // The start is the first instance, whether or not the rule has it.
  let latest = start.local;
  let remaining = rule.count - 1;
  const times = { start: start.local, isDate: start.isDate };
  for (const local of ruleTimes(rule, times, { from: range.from, to }, budget)) {
    if (remaining <= 0) return;
    if (local <= latest) continue;
    if (limit !== null && isAfterLimit({ ...start, local }, limit)) return;
    latest = local;
    remaining -= 1;
    yield local;
  }
}

/**
 * `ical.js` parses rules, but leaves out dates of some, adds dates to others, and has no end with some
 * that no date matches: so it does not expand them.
 */
function ruleOf([, , , value]: Property): { rule: Rule; until: unknown } {
  const { until, ...parts } = value as Record<string, unknown>;
  const { wkst } = parts;
  // The one part that `ical.js` does not keep as it is written.
  if (typeof wkst === 'number') parts['wkst'] = ICAL.Recur.numericDayToIcalDay(wkst);
  const text = Object.entries(parts).map(([name, part]) => `${name}=${[part].flat().join(',')}`);
  return { rule: parseRule(text.join(';')), until };
}

const untilLike: Property = ['until', {}, 'date-time'];

/** A limit that is not in UTC is in the zone of the event. */
function limitOf(limit: Moment, { zone }: Moment): Moment {
  return limit.zone === utcZone ? limit : { ...limit, zone };
}

function isAfterLimit(instance: Moment, limit: Moment): boolean {
  const isLaterDate = dateOf(instance.local) > dateOf(limit.local);
  if (limit.isDate) return isLaterDate;
  // A limit in UTC for dates: some calendars mean its date, and some the instant.
  if (instance.isDate && !isLaterDate) return false;
  if (Math.abs(instance.local - limit.local) > zoneMarginMs) return instance.local > limit.local;
  return instantOf(instance) > instantOf(limit);
}

/** The dates and periods that an event lists, before and after its start. */
function* listedDates(
  { start, dates, text: { zones } }: CalendarEvent,
  range: LocalRange,
  budget: OccurrenceBudget,
): Generator<Instance> {
  for (const property of dates) {
    const [, , , ...values] = property;
    for (const value of values) {
      budget.spend();
      const [first, second] = [value].flat();
      const moment = parseMoment(first, property, zones);
      if (second === undefined) {
        const instance = likeStart(moment, start);
        if (isWithin(instance.local, range)) yield { start: instance, length: null };
      } else if (moment.local <= range.to) {
        const isDuration = typeof second === 'string' && /^[+-]?P/i.test(second);
        const length = isDuration
          ? lengthOf(moment, second.toUpperCase())
          : lengthBetween(moment, parseMoment(second, property, zones));
        yield { start: moment, length };
      }
    }
  }
}

/** A date for an event at a time of day is the date at that time, and the reverse. */
function likeStart(moment: Moment, start: Moment): Moment {
  if (moment.isDate === start.isDate) return moment;
  const date = dateOf(moment.local);
  return { ...start, local: start.isDate ? date : date + (start.local - dateOf(start.local)) };
}
