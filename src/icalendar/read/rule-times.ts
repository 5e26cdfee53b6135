import type { OccurrenceBudget } from './limits.js';
import { type CalendarZones, instantOf, type Moment, parseMoment } from './moments.js';
import { dateFilterOf, monthOf, substitutesOf, weekStartOf, yearOf } from './rule-dates.js';
import { type Rule, parseRule } from './rule.js';
import { dateOf, dayMs, localMs, type LocalMs, type LocalRange, utcZone } from './zones.js';

/**
 * The local times of a rule in order, from the event's start or, if they are not counted, from about the
 * beginning of the range, until its end. The start is included only if the rule has it. @internal
 */
export function* ruleTimes(
  rule: Rule,
  { start, isDate }: { start: LocalMs; isDate: boolean },
  range: LocalRange,
  budget: OccurrenceBudget,
): Generator<LocalMs> {
  const isCounted = rule.count !== Infinity;
  // Dates before the range matter if they are counted.
  const isWhole = isCounted || rule.positions !== null;
  const hasDate = dateFilterOf(rule, start);
  const substituteOf = substitutesOf(rule, start);
  const times = isDate ? [0] : timesOfDay(rule, start);
  const periodStart = periodStarts(rule, start);
  for (let index = isCounted ? 0 : indexBefore(rule, start, range.from); ; index += rule.interval) {
    budget.spend();
    const firstDay = periodStart(index);
    const nextPeriod = periodStart(index + 1);
    // This is also the end of representable dates.
    if (!(firstDay <= range.to)) return;
    const days: LocalMs[] = [];
    const from = isWhole ? firstDay : Math.max(firstDay, dateOf(range.from) - dayMs);
    for (let date = from; date < nextPeriod; date = nextDate(date, rule.months)) {
      if (hasDate(date) && date !== days.at(-1)) days.push(date);
      const substitute = substituteOf(date);
      if (substitute !== null && substitute !== days.at(-1)) days.push(substitute);
    }
    for (const local of chosenTimes(days, times, rule.positions)) {
      if (local < start) continue;
      if (local > range.to) return;
      budget.spend();
      yield local;
    }
  }
}

/** The next day, or the first of the next month if the rule does not have that of the date. */
function nextDate(date: LocalMs, months: readonly number[] | null): LocalMs {
  const month = months === null ? 0 : monthOf(date);
  return months === null || months.includes(month)
    ? date + dayMs
    : localMs(yearOf(date), month + 1, 1);
}

/** The first day of the n-th day, week, month or year, counted from 0 for that of the start. */
function periodStarts({ frequency, weekStart }: Rule, start: LocalMs): (n: number) => LocalMs {
  const [year, month, date] = [yearOf(start), monthOf(start), dateOf(start)];
  const week = weekStartOf(date, weekStart);
  switch (frequency) {
    case 'YEARLY':
      return (n) => localMs(year + n, 1, 1);
    case 'MONTHLY':
      return (n) => localMs(year, month + n, 1);
    case 'WEEKLY':
      return (n) => week + n * 7 * dayMs;
    case 'DAILY':
      return (n) => date + n * dayMs;
  }
}

/** The number of a period of the rule that ends before the range begins, or 0. */
function indexBefore({ frequency, interval }: Rule, start: LocalMs, from: LocalMs): number {
  const days = (from - start) / dayMs;
  const years = yearOf(from) - yearOf(start);
  const months = years * 12 + monthOf(from) - monthOf(start);
  const passed = { YEARLY: years, MONTHLY: months, WEEKLY: days / 7, DAILY: days }[frequency];
  return Math.max(0, Math.floor(passed / interval) - 1) * interval;
}

/** The times of day of a rule, in milliseconds, ascending; parts that it does not list are the start's. */
function timesOfDay({ hours, minutes, seconds }: Rule, start: LocalMs): number[] {
  const usual = new Date(start);
  return (hours ?? [usual.getUTCHours()]).flatMap((hour) =>
    (minutes ?? [usual.getUTCMinutes()]).flatMap((minute) =>
      (seconds ?? [usual.getUTCSeconds()]).map(
        (second) => ((hour * 60 + minute) * 60 + second) * 1000,
      ),
    ),
  );
}

/** Each day at each time, or those at a rule's positions (BYSETPOS). */
function* chosenTimes(
  days: readonly LocalMs[],
  times: readonly number[],
  positions: readonly number[] | null,
): Generator<LocalMs> {
  if (positions === null) {
    for (const day of days) for (const time of times) yield day + time;
    return;
  }
  const count = days.length * times.length;
  const indexes = positions.map((each) => (each > 0 ? each - 1 : count + each));
  for (const index of [...new Set(indexes)].sort((one, other) => one - other)) {
    const day = days[Math.floor(index / times.length)];
    const time = times[index % times.length];
    if (index >= 0 && day !== undefined && time !== undefined) yield day + time;
  }
}

/** The margin with which local times can stand for instants: zones differ by at most 26 hours. */
export const zoneMarginMs = 2 * dayMs;

/** The property that has a rule's UNTIL. */
const untilProperty = { name: 'RRULE', parameters: '', value: '', line: 0 };

/**
 * The local times of a rule after the start of its event, until the end of the range.
 *
 * @param value of an RRULE or EXRULE
 * @param isExclusion whether the start is among them if the rule has it, as EXRULE excludes it (RFC
 *   2445, 4.8.5.2)
 * @throws UnreadableCalendarError when the rule cannot be read, before the first time is returned
 */
export function ruleInstances(
  value: string,
  start: Moment,
  {
    range,
    zones,
    budget,
    isExclusion = false,
  }: { range: LocalRange; zones: CalendarZones; budget: OccurrenceBudget; isExclusion?: boolean },
): Iterable<LocalMs> {
  const { rule, until } = parseRule(value);
  const limit = until === null ? null : limitOf(parseMoment(until, untilProperty, zones), start);
  const to = limit === null ? range.to : Math.min(range.to, limit.local + zoneMarginMs);
  if (to < Math.max(start.local, range.from)) return [];
  return timesAfterStart();

  function* timesAfterStart(): Generator<LocalMs> {
    // The start is the first instance of an event, whether or not the rule has it.
    let latest = isExclusion ? -Infinity : start.local;
    let remaining = isExclusion ? rule.count : rule.count - 1;
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
