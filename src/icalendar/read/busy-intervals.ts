import type { BusyInterval } from '../../schedule/busy-times.js';
import { longestSessionHours } from '../../schedule/slots.js';
import { parseEvent } from './calendar-event.js';
import type { EventText } from './calendar-text.js';
import { createIntervalUnion, decidingIntervals, type IntervalUnion } from './interval-union.js';
import { createOccurrenceBudget, type OccurrenceBudget } from './limits.js';
import { addInstance, addSeries } from './series.js';

const longestSessionMs = longestSessionHours * 3_600_000;

/**
 * When the events are busy, as `CalendarReader` returns it: the intervals that decide about one of the
 * slots, cut to the time from the first slot's start until the last one's longest session.
 *
 * @param slotStarts ascending, ms since the epoch
 * @param occurrences the limit of occurrences that are stepped through
 * @throws TooManyOccurrencesError when there are more
 * @throws UnreadableCalendarError or an error of `ical.js` when a date or a rule is broken
 */
export function busyIntervals(
  events: readonly EventText[],
  { slotStarts, occurrences }: { slotStarts: readonly number[]; occurrences: number },
): BusyInterval[] {
  const [first] = slotStarts;
  const last = slotStarts.at(-1);
  if (first === undefined || last === undefined) return [];
  const busy = createIntervalUnion({ from: first, to: last + longestSessionMs });
  const budget = createOccurrenceBudget(occurrences);
  for (const sameUid of groupByUid(events)) addEvents(sameUid, busy, budget);
  return decidingIntervals(busy.intervals(), slotStarts, longestSessionMs);
}

/** A recurring event and those of its instances that are described on their own share a UID. */
function* groupByUid(events: readonly EventText[]): Generator<readonly EventText[]> {
  const groups = new Map<string, EventText[]>();
  for (const event of events) {
    const group = event.uid === null ? undefined : groups.get(event.uid);
    if (event.uid === null) yield [event];
    else if (group === undefined) groups.set(event.uid, [event]);
    else group.push(event);
  }
  yield* groups.values();
}

function addEvents(
  texts: readonly EventText[],
  busy: IntervalUnion,
  budget: OccurrenceBudget,
): void {
  const events = texts.map(parseEvent).filter((event) => event !== null);
  const instances = events.filter(({ recurrenceId }) => recurrenceId !== null);
  for (const instance of instances) addInstance(instance, busy);
  for (const event of events) {
    if (event.recurrenceId === null) addSeries(event, instances, busy, budget);
  }
}
