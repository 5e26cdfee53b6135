import type { OccurrenceBudget } from './limits.js';
import { type CalendarZones, instantOf, type Moment, parseMoment } from './moments.js';
import { dateFilterOf, monthOf, replacedDates, weekStartOf, yearOf } from './rule-dates.js';
import { type Frequency, type Rule, parseRule } from './rule.js';
import { dateOf, dayMs, localMs, type LocalMs, type LocalRange, utcZone } from './zones.js';

/** The time that a rule repeats: what it has within one. */
interface Period {
  readonly begin: LocalMs;
  /** Its days, the last one excluded. */
  readonly firstDay: LocalMs;
  readonly lastDay: LocalMs;
  /** Its times of day in milliseconds, ascending. */
  readonly times: readonly number[];
}

const unitMs: Partial<Record<Frequency, number>> = {
  SECONDLY: 1_000,
  MINUTELY: 60_000,
  HOURLY: 3_600_000,
  DAILY: dayMs,
  WEEKLY: 7 * dayMs,
};

/**
 * The local times of a rule in order, from the event's start or, if they are not counted, from about
 * the begin of the range, until its end. The start is among them only if the rule has it. @internal
 */
export function* ruleTimes(
  rule: Rule,
  { start, isDate }: { start: LocalMs; isDate: boolean },
  range: LocalRange,
  budget: OccurrenceBudget,
): Generator<LocalMs> {
  const isCounted = rule.count !== Infinity;
  // Whether dates before the range matter, since they are counted.
  const isWhole = isCounted || rule.positions !== null;
  const hasDate = dateFilterOf(rule, start);
  const periodAt = periods(rule, start, isDate);
  for (let index = isCounted ? 0 : indexBefore(rule, start, range.from); ; index += 1) {
    budget.spend();
    const { begin, firstDay, lastDay, times } = periodAt(index);
    // Also where dates end.
    if (!(begin <= range.to)) return;
    const days: LocalMs[] = [];
    const from = isWhole ? firstDay : Math.max(firstDay, dateOf(range.from));
    for (let date = from; date < lastDay; date = nextDate(date, rule.months)) {
      if (hasDate(date)) days.push(date);
    }
    const all =
      rule.skip === 'OMIT' ? days : withReplaced(days, { rule, start, firstDay, lastDay });
    for (const local of chosenTimes(all, times, rule.positions)) {
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

/** The days of a period in order, with those that take the place of days that do not exist. */
function withReplaced(
  days: readonly LocalMs[],
  period: Parameters<typeof replacedDates>[0],
): LocalMs[] {
  return [...new Set([...days, ...replacedDates(period)])].sort((one, other) => one - other);
}

/** The n-th period's index is n: that of the start is 0. */
function periods(rule: Rule, start: LocalMs, isDate: boolean): (index: number) => Period {
  const { frequency, interval, weekStart } = rule;
  const wholeDay = isDate ? [0] : timesOf(rule, start, {});
  const days = (begin: LocalMs, end: LocalMs): Period => {
    return { begin, firstDay: begin, lastDay: end, times: wholeDay };
  };
  const [year, month] = [yearOf(start), monthOf(start)];
  switch (frequency) {
    case 'YEARLY':
      return (index) =>
        days(localMs(year + index * interval, 1, 1), localMs(year + index * interval + 1, 1, 1));
    case 'MONTHLY':
      return (index) =>
        days(
          localMs(year, month + index * interval, 1),
          localMs(year, month + index * interval + 1, 1),
        );
    case 'WEEKLY': {
      const first = weekStartOf(dateOf(start), weekStart);
      return (index) => {
        const begin = first + index * interval * 7 * dayMs;
        return days(begin, begin + 7 * dayMs);
      };
    }
    case 'DAILY':
      return (index) => {
        const begin = dateOf(start) + index * interval * dayMs;
        return days(begin, begin + dayMs);
      };
    case 'HOURLY':
    case 'MINUTELY':
    case 'SECONDLY': {
      const unit = unitMs[frequency] ?? dayMs;
      const first = Math.floor(start / unit) * unit;
      return (index) => {
        const begin = first + index * interval * unit;
        const date = dateOf(begin);
        const clock = clockOf(begin);
        const fixed: Partial<Clock> = { hour: clock.hour };
        if (unit < 3_600_000) fixed.minute = clock.minute;
        if (unit < 60_000) fixed.second = clock.second;
        const times = isDate ? [0] : timesOf(rule, start, fixed);
        return { begin, firstDay: date, lastDay: date + dayMs, times };
      };
    }
  }
}

interface Clock {
  hour: number;
  minute: number;
  second: number;
}

function clockOf(local: LocalMs): Clock {
  const date = new Date(local);
  return {
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

/** The times of day of a rule: its lists limit what the period fixes, and expand what it does not. */
function timesOf(rule: Rule, start: LocalMs, fixed: Partial<Clock>): number[] {
  const usual = clockOf(start);
  const among = (list: readonly number[] | null, given: number | undefined, other: number) => {
    if (given === undefined) return list ?? [other];
    return list === null || list.includes(given) ? [given] : [];
  };
  const seconds = among(rule.seconds, fixed.second, usual.second);
  const minutes = among(rule.minutes, fixed.minute, usual.minute);
  return among(rule.hours, fixed.hour, usual.hour).flatMap((hour) =>
    minutes.flatMap((minute) =>
      seconds.map((second) => ((hour * 60 + minute) * 60 + second) * 1000),
    ),
  );
}

/** The index of a period that ends before the range begins, or 0. */
function indexBefore({ frequency, interval }: Rule, start: LocalMs, from: LocalMs): number {
  const years = yearOf(from) - yearOf(start);
  const unit = unitMs[frequency];
  const months = years * 12 + monthOf(from) - monthOf(start);
  const passed =
    unit === undefined ? (frequency === 'YEARLY' ? years : months) : (from - start) / unit;
  return Math.max(0, Math.floor(passed / interval) - 1);
}

/** Each day at each time, or those at the positions of a rule, counted over all (BYSETPOS). */
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

/** Zones differ by at most 26 hours; with them, local times can stand for instants. */
export const zoneMarginMs = 2 * dayMs;

/** Where a UNTIL is written. */
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
