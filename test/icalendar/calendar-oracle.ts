/**
 * When the events of a specification are busy, slowly and plainly: each date is asked whether the rule
 * has it, and each minute whether an instance covers it. Knows nothing of the format.
 */
import { Temporal } from 'temporal-polyfill';
import type { ChangeSpec, EventSpec, LengthSpec, RuleSpec, TimeSpec } from './event-specs.js';

/** An instance: its original local start, and what the calendar says of it. */
export interface OracleInstance {
  readonly original: string;
  /** Null if the length is the event's. */
  readonly periodMinutes: number | null;
}

export interface OracleChange extends ChangeSpec {
  readonly original: string;
}

const minuteMs = 60_000;

function zoneOf({ form, zone }: TimeSpec, studio: string): string {
  if (form === 'utc') return 'UTC';
  return form === 'iana' || form === 'custom' ? zone : studio;
}

export function instantOf(local: string, start: TimeSpec, studio: string): number {
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zoneOf(start, studio))
    .epochMilliseconds;
}

export function addMinutes(local: string, minutes: number): string {
  return Temporal.PlainDateTime.from(local).add({ minutes }).toString().slice(0, 16);
}

/** The instances of an event until a date, in order, before any change. */
export function instancesUntil(event: EventSpec, last: string, studio: string): OracleInstance[] {
  const { start, rules, dates } = event;
  const time = start.local.slice(11);
  const first = Temporal.PlainDate.from(start.local.slice(0, 10));
  const originals = new Map<string, OracleInstance>();
  const add = (original: string, periodMinutes: number | null): void => {
    originals.set(`${original} ${periodMinutes}`, { original, periodMinutes });
  };
  add(start.local, null);
  for (const rule of rules) {
    let count = 1;
    for (let date = first.add({ days: 1 }); date.toString() <= last; date = date.add({ days: 1 })) {
      if (!hasDate(rule, first, date)) continue;
      count += 1;
      const original = `${date.toString()}T${time}`;
      if (rule.end !== null) {
        if ('count' in rule.end && count > rule.end.count) break;
        if ('until' in rule.end && isAfter(original, untilOf(rule.end, event), start, studio))
          break;
      }
      add(original, null);
    }
  }
  for (const { days, periodMinutes } of dates) {
    const original = `${first.add({ days }).toString()}T${time}`;
    add(original, start.form === 'date' ? null : periodMinutes);
  }
  return [...originals.values()].sort((one, other) => (one.original < other.original ? -1 : 1));
}

/**
 * The changes of an event with the instances that they are of, counted from a date. Of one instance
 * there is at most one description.
 */
export function changesOf(
  { start, changes }: EventSpec,
  instances: readonly OracleInstance[],
  from: string,
): OracleChange[] {
  const firstIndex = instances.findIndex(({ original }) => original >= from);
  const described = new Set<string>();
  return changes.flatMap((change) => {
    const original = instances[Math.max(firstIndex, 0) + change.instance]?.original;
    if (original === undefined) return [];
    if (!isExclusion(change)) {
      if (described.has(original)) return [];
      described.add(original);
    }
    const days = Math.trunc(change.minutes / 1440);
    return [{ ...change, original, minutes: start.form === 'date' ? days * 1440 : change.minutes }];
  });
}

/** The local time after which no instance of a rule starts, as calendar-text.ts writes it. */
export function untilOf({ until }: { until: string }, { start }: EventSpec): string {
  return `${until}T${start.local.slice(11)}`;
}

function isAfter(local: string, limit: string, start: TimeSpec, studio: string): boolean {
  return instantOf(local, start, studio) > instantOf(limit, start, studio);
}

function hasDate(rule: RuleSpec, first: Temporal.PlainDate, date: Temporal.PlainDate): boolean {
  const { frequency, interval } = rule;
  switch (frequency) {
    case 'DAILY':
      return first.until(date).days % interval === 0;
    case 'WEEKLY': {
      const weeks = weekOf(first, rule).until(weekOf(date, rule)).days / 7;
      const weekdays = rule.weekdays.length > 0 ? rule.weekdays : [first.dayOfWeek];
      return weeks % interval === 0 && weekdays.includes(date.dayOfWeek);
    }
    case 'MONTHLY': {
      const months = (date.year - first.year) * 12 + date.month - first.month;
      return months % interval === 0 && date.day === first.day;
    }
    case 'YEARLY':
      return (
        (date.year - first.year) % interval === 0 &&
        date.month === first.month &&
        date.day === first.day
      );
  }
}

function weekOf(date: Temporal.PlainDate, { weekStart }: RuleSpec): Temporal.PlainDate {
  return date.subtract({ days: (date.dayOfWeek - weekStart + 7) % 7 });
}

/** Marks the minutes of the window in which the event is busy. */
export function markBusy(
  minutes: Uint8Array,
  windowStart: number,
  event: EventSpec,
  instances: readonly OracleInstance[],
  changes: readonly OracleChange[],
  studio: string,
): void {
  if (event.state === 'own') return;
  const { start } = event;
  const mark = (from: number, to: number): void => {
    for (let at = Math.max(from, windowStart); at < to; at += minuteMs) {
      const index = (at - windowStart) / minuteMs;
      if (index >= minutes.length) return;
      minutes[index] = 1;
    }
  };
  const at = (local: string): number => instantOf(local, start, studio);
  const markInstance = (local: string, length: LengthSpec, lengthFrom: string): void => {
    mark(at(local), endOf(local, length, lengthFrom));
  };
  const endOf = (local: string, length: LengthSpec, lengthFrom: string): number => {
    const isDate = start.form === 'date';
    const nextDay = at(addMinutes(local, 1440));
    if (length.kind === 'none') return isDate ? nextDay : at(local);
    if (length.kind === 'end') {
      const days = Math.max(1, Math.ceil(length.minutes / 1440));
      if (isDate) return at(addMinutes(local, days * 1440));
      // The exact time that it takes is that of the event's first instance.
      return at(local) + at(addMinutes(lengthFrom, length.minutes)) - at(lengthFrom);
    }
    if (isDate && length.days === 0) return nextDay;
    return at(addMinutes(local, length.days * 1440)) + length.minutes * minuteMs;
  };

  for (const change of changes) {
    if (change.kind !== 'move') continue;
    const local = addMinutes(change.original, change.minutes);
    markInstance(local, change.length, local);
  }
  if (event.isOrphan) return;
  const later = changes.filter((change) => change.forFuture && !isExclusion(change));
  for (const { original, periodMinutes } of instances) {
    if (changes.some((change) => names(change, original, event, studio))) continue;
    const from = at(original);
    const [last] = later
      .filter((change) => at(change.original) <= from)
      .sort((one, other) => at(other.original) - at(one.original));
    if (last !== undefined) {
      if (last.kind !== 'move') continue;
      const movedId = addMinutes(last.original, last.minutes);
      markInstance(addMinutes(original, last.minutes), last.length, movedId);
    } else if (event.state === 'busy') {
      if (periodMinutes === null) markInstance(original, event.length, start.local);
      else mark(from, from + periodMinutes * minuteMs);
    }
  }
}

/** Whether it is part of the event, rather than a description of its own. */
export function isExclusion({ kind }: ChangeSpec): boolean {
  return kind === 'exclude' || kind === 'exclude date';
}

function names(change: OracleChange, original: string, event: EventSpec, studio: string): boolean {
  if (change.kind === 'exclude date') return change.original.slice(0, 10) === original.slice(0, 10);
  const { start } = event;
  return instantOf(change.original, start, studio) === instantOf(original, start, studio);
}
