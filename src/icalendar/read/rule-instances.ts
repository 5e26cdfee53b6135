import type { OccurrenceBudget } from './limits.js';
import { type CalendarZones, instantOf, type Moment, parseMoment } from './moments.js';
import { ruleTimes } from './rule-times.js';
import { parseRule } from './rule.js';
import { dateOf, dayMs, type LocalMs, type LocalRange, utcZone } from './zones.js';

/** Zones differ by at most 26 hours; with them, local times can stand for instants. */
export const zoneMarginMs = 2 * dayMs;

/** Where a UNTIL is written. */
const untilProperty = { name: 'RRULE', parameters: '', value: '', line: 0 };

/**
 * The local times of a rule after the start of its event, until the end of the range.
 *
 * @param value of an RRULE
 * @throws UnreadableCalendarError when the rule cannot be read, before the first time is returned
 */
export function ruleInstances(
  value: string,
  start: Moment,
  { range, zones, budget }: { range: LocalRange; zones: CalendarZones; budget: OccurrenceBudget },
): Iterable<LocalMs> {
  const { rule, until } = parseRule(value);
  const limit = until === null ? null : limitOf(parseMoment(until, untilProperty, zones), start);
  const to = limit === null ? range.to : Math.min(range.to, limit.local + zoneMarginMs);
  if (to < Math.max(start.local, range.from)) return [];
  return timesAfterStart();

  function* timesAfterStart(): Generator<LocalMs> {
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
}

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
