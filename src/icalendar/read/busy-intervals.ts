import type { BusyInterval } from '../../schedule/busy-times.js';
import { longestSessionMs } from '../../schedule/slots.js';
import { type CalendarEvent, parseEvent } from './calendar-event.js';
import type { EventText } from './calendar-text.js';
import { type BusySink, createIntervalUnion, decidingIntervals } from './interval-union.js';
import { createOccurrenceBudget, type OccurrenceBudget } from './limits.js';
import { endOf, instantOf } from './moments.js';
import { parameterOf, valuesOf } from './property.js';
import { addInstance, addSeries, parsePeriod } from './series.js';

/**
 * The busy times of the events, as `CalendarReader` returns them: the intervals that decide about one of
 * the slots, cut to the time from the first slot's start until the last one's longest session.
 *
 * @param slotStarts ascending, ms since the epoch
 * @param isWhole returns every interval of that time instead
 * @param occurrences the limit of occurrences that are stepped through
 * @throws TooManyOccurrencesError when there are more
 */
export function busyIntervals(
  events: readonly EventText[],
  {
    slotStarts,
    occurrences,
    isWhole = false,
  }: { slotStarts: readonly number[]; occurrences: number; isWhole?: boolean },
): readonly BusyInterval[] {
  const [first] = slotStarts;
  const last = slotStarts.at(-1);
  if (first === undefined || last === undefined) return [];
  const busy = createIntervalUnion({ from: first, to: last + longestSessionMs });
  const budget = createOccurrenceBudget(occurrences);
  addAllEvents(events, () => busy, budget);
  return isWhole
    ? busy.intervals()
    : decidingIntervals(busy.intervals(), slotStarts, longestSessionMs);
}

/** @param sinkOf what the intervals of an event are added to */
export function addAllEvents(
  events: readonly EventText[],
  sinkOf: (text: EventText) => BusySink,
  budget: OccurrenceBudget,
): void {
  for (const sameUid of groupByUid(events)) addEvents(sameUid, sinkOf, budget);
}

/** Groups a recurring event and its separately described instances, which share a UID. */
function* groupByUid(events: readonly EventText[]): Generator<readonly EventText[]> {
  const groups = new Map<string, EventText[]>();
  for (const event of events) {
    const uid = event.isFreeBusy ? null : event.uid;
    const group = uid === null ? undefined : groups.get(uid);
    if (uid === null) yield [event];
    else if (group === undefined) groups.set(uid, [event]);
    else group.push(event);
  }
  yield* groups.values();
}

function addEvents(
  texts: readonly EventText[],
  sinkOf: (text: EventText) => BusySink,
  budget: OccurrenceBudget,
): void {
  for (const text of texts) if (text.isFreeBusy) addFreeBusy(text, sinkOf(text), budget);
  const events = texts
    .filter(({ isFreeBusy }) => !isFreeBusy)
    .flatMap((text) => parseEvent(text) ?? []);
  const described = newestOf(events.filter(({ recurrenceId }) => recurrenceId !== null));
  for (const instance of described) addInstance(instance, sinkOf(instance.text));
  for (const event of newestOf(events.filter(({ recurrenceId }) => recurrenceId === null))) {
    addSeries(event, described, sinkOf(event.text), budget);
  }
}

/** The events without those that a later change of the same event or instance replaces. */
function newestOf(events: readonly CalendarEvent[]): readonly CalendarEvent[] {
  if (events.length < 2) return events;
  const newest = new Map<number | null, number>();
  const instanceOf = ({ recurrenceId }: CalendarEvent) =>
    recurrenceId === null ? null : instantOf(recurrenceId);
  for (const event of events) {
    const instance = instanceOf(event);
    newest.set(instance, Math.max(newest.get(instance) ?? 0, event.sequence));
  }
  return events.filter((event) => event.sequence === newest.get(instanceOf(event)));
}

/** The busy times that a VFREEBUSY lists (RFC 5545, 3.6.4). */
function addFreeBusy(text: EventText, busy: BusySink, budget: OccurrenceBudget): void {
  if (text.isCancelled) return;
  for (const property of text.properties) {
    const isBusy = parameterOf(property, 'FBTYPE')?.toUpperCase() !== 'FREE';
    if (property.name !== 'FREEBUSY' || !isBusy) continue;
    for (const value of valuesOf(property)) {
      budget.spend();
      const period = text.readOrTell(property.line, 'date', () =>
        parsePeriod(value, property, text.zones),
      );
      if (period !== null) busy.add(instantOf(period.start), endOf(period.start, period.length));
    }
  }
}
