import { type CalendarEvent, reachOfEvent } from './calendar-event.js';
import type { BusySink } from './interval-union.js';
import type { OccurrenceBudget } from './limits.js';
import {
  createInstanceSet,
  endOf,
  instantOf,
  inZoneOf,
  parseMoment,
  type InstanceSet,
  type Length,
  type Moment,
  type CalendarZones,
  lengthBetween,
  parseDuration,
} from './moments.js';
import { valuesOf, type Property } from './property.js';
import { zoneMarginMs, ruleInstances } from './rule-times.js';
import { localAt, type LocalRange, dateOf, type LocalMs } from './zones.js';

/** Adds an instance that is described on its own, whether or not its event has it. */
export function addInstance(event: CalendarEvent, busy: BusySink): void {
  if (!event.isBusy || !isWithin(event.start.local, rangeOf(event, [], busy))) return;
  busy.add(instantOf(event.start), endOf(event.start, event.length));
}

/**
 * Adds an event, recurring or not, without the instances that are excluded or described on their own.
 *
 * @param described the instances that are described on their own
 */
export function addSeries(
  event: CalendarEvent,
  described: readonly CalendarEvent[],
  busy: BusySink,
  budget: OccurrenceBudget,
): void {
  const changes = described.flatMap((instance) => {
    const { recurrenceId, isForFuture } = instance;
    return isForFuture && recurrenceId ? [changeOf(event, instance, recurrenceId)] : [];
  });
  changes.sort((one, other) => one.from - other.from);
  if (!event.isBusy && !changes.some(({ isBusy }) => isBusy)) return;

  const range = rangeOf(event, changes, busy);
  const excluded = excludedFrom(event, described, range, budget);
  const describe = describer(event, changes);
  for (const instance of instancesOf(event, range, budget)) {
    if (!excluded.has(instance.start)) describe(instance, busy);
  }
}

/** A description of an instance and all later ones (RFC 5545, 3.2.13). */
interface Change {
  /** The instance's original start, ms since the epoch. */
  readonly from: number;
  readonly isBusy: boolean;
  /** The local time by which it moves an instance. */
  readonly shiftMs: number;
  readonly length: Length;
  /** The most milliseconds of local time by which it moves an instance, or that an instance takes. */
  readonly reachMs: number;
}

function changeOf(series: CalendarEvent, instance: CalendarEvent, recurrenceId: Moment): Change {
  const { zone } = series.start;
  const localOf = (moment: Moment) =>
    moment.zone === zone ? moment.local : localAt(zone, instantOf(moment));
  const shiftMs = localOf(instance.start) - localOf(recurrenceId);
  return {
    from: instantOf(recurrenceId),
    isBusy: instance.isBusy,
    shiftMs,
    length: instance.length,
    reachMs: Math.abs(shiftMs) + reachOfEvent(instance),
  };
}

/** The local times at which instances can start that overlap the window. */
function rangeOf(
  event: CalendarEvent,
  changes: readonly Change[],
  { window: { from, to } }: BusySink,
): LocalRange {
  const moved = changes.reduce((most, { reachMs }) => Math.max(most, reachMs), 0);
  const reach = Math.max(reachOfEvent(event), moved);
  return { from: from - reach - zoneMarginMs, to: to + moved + zoneMarginMs };
}

function excludedFrom(
  event: CalendarEvent,
  described: readonly CalendarEvent[],
  range: LocalRange,
  budget: OccurrenceBudget,
): InstanceSet {
  const { text, start } = event;
  const excluded = createInstanceSet(start);
  const add = (given: Moment): void => {
    const moment = inZoneOf(start, given);
    const { local } = moment;
    // The times are in zones of their own.
    if (range.from - zoneMarginMs <= local && local <= range.to + zoneMarginMs)
      excluded.add(moment);
  };
  for (const { recurrenceId } of described) if (recurrenceId !== null) add(recurrenceId);
  for (const property of event.excludedDates) {
    for (const value of valuesOf(property)) {
      const moment = text.readOrTell(property.line, 'date', () =>
        parseMoment(value, property, text.zones),
      );
      if (moment !== null) add(moment);
    }
  }
  const scope = { range, zones: text.zones, budget, isExclusion: true };
  for (const { value, line } of event.excludedRules) {
    const times = text.readOrTell(line, 'rule', () => ruleInstances(value, start, scope)) ?? [];
    for (const local of times) add({ ...start, local });
  }
  return excluded;
}

/** Adds an instance by the event, or by the last change before it. */
function describer(event: CalendarEvent, changes: readonly Change[]) {
  return ({ start, length }: Instance, busy: BusySink): void => {
    const startsAt = instantOf(start);
    const change = changes.findLast(({ from }) => from <= startsAt);
    if (change !== undefined) {
      const moved = { ...start, local: start.local + change.shiftMs };
      if (change.isBusy) busy.add(instantOf(moved), endOf(moved, change.length));
    } else if (event.isBusy) {
      busy.add(startsAt, endOf(start, length ?? event.length));
    }
  };
}

export interface Instance {
  readonly start: Moment;
  /** Its own length, or null for the event's. */
  readonly length: Length | null;
}

/**
 * The instances of a recurring event within a range, including excluded ones, some perhaps twice: its
 * start, and those of its rules and dates (RFC 5545, 3.8.5). An unreadable rule or date is noted.
 */
function* instancesOf(
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

function isWithin(local: LocalMs, { from, to }: LocalRange): boolean {
  return from <= local && local <= to;
}

/** Whether an instance is near the range: a period may be longer than the event. */
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

/** A date in an event at a time of day gets that time; a time in an all-day event becomes a date. */
function likeStart(moment: Moment, start: Moment): Moment {
  if (moment.isDate === start.isDate) return moment;
  const date = dateOf(moment.local);
  return { ...start, local: start.isDate ? date : date + (start.local - dateOf(start.local)) };
}
