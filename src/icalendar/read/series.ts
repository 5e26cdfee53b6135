import { type CalendarEvent, reachOfEvent } from './calendar-event.js';
import type { IntervalUnion } from './interval-union.js';
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
} from './moments.js';
import { valuesOf } from './property.js';
import { instancesOf, isWithin, type Instance } from './recurrence.js';
import { zoneMarginMs } from './rule-instances.js';
import { localAt, type LocalRange } from './zones.js';

/** Adds an instance that is described on its own, whether or not its event would have it. */
export function addInstance(event: CalendarEvent, busy: IntervalUnion): void {
  if (!event.isBusy || !isWithin(event.start.local, rangeOf(event, [], busy))) return;
  busy.add(instantOf(event.start), endOf(event.start, event.length));
}

/**
 * Adds an event, recurring or not, but for the instances that are excluded or described on their own.
 *
 * @param described the instances that are described on their own
 */
export function addSeries(
  event: CalendarEvent,
  described: readonly CalendarEvent[],
  busy: IntervalUnion,
  budget: OccurrenceBudget,
): void {
  const changes = described.flatMap((instance) => {
    const { recurrenceId, isForFuture } = instance;
    return isForFuture && recurrenceId ? [changeOf(event, instance, recurrenceId)] : [];
  });
  changes.sort((one, other) => one.from - other.from);
  if (!event.isBusy && !changes.some(({ isBusy }) => isBusy)) return;

  const range = rangeOf(event, changes, busy);
  const excluded = excludedFrom(event, described, range);
  const describe = describer(event, changes);
  for (const instance of instancesOf(event, range, budget)) {
    if (!excluded.has(instance.start)) describe(instance, busy);
  }
}

/** How an instance describes all later ones (RFC 5545, 3.2.13). */
interface Change {
  /** The instance's original start, ms since the epoch. */
  readonly from: number;
  readonly isBusy: boolean;
  /** By how much it moves an instance in local time. */
  readonly shiftMs: number;
  readonly length: Length;
  /** At most the milliseconds of local time that it moves an instance or that one takes. */
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
  { window: { from, to } }: IntervalUnion,
): LocalRange {
  const moved = changes.reduce((most, { reachMs }) => Math.max(most, reachMs), 0);
  const reach = Math.max(reachOfEvent(event), moved);
  return { from: from - reach - zoneMarginMs, to: to + moved + zoneMarginMs };
}

function excludedFrom(
  event: CalendarEvent,
  described: readonly CalendarEvent[],
  range: LocalRange,
): InstanceSet {
  const excluded = createInstanceSet(event.start);
  const add = (given: Moment): void => {
    const moment = inZoneOf(event.start, given);
    const { local } = moment;
    // The times are in zones of their own.
    if (range.from - zoneMarginMs <= local && local <= range.to + zoneMarginMs)
      excluded.add(moment);
  };
  for (const { recurrenceId } of described) if (recurrenceId !== null) add(recurrenceId);
  const { text } = event;
  for (const property of event.excludedDates) {
    for (const value of valuesOf(property)) {
      const moment = text.readOrTell(property.line, 'date', () =>
        parseMoment(value, property, text.zones),
      );
      if (moment !== null) add(moment);
    }
  }
  return excluded;
}

/** Adds an instance as the event describes it, or the last change before it. */
function describer(event: CalendarEvent, changes: readonly Change[]) {
  return ({ start, length }: Instance, busy: IntervalUnion): void => {
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
