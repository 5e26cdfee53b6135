import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';

/** Milliseconds since the epoch, both included. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

type Transition = Temporal.ZonedDateTime;

/**
 * The VTIMEZONE component (RFC 5545, 3.6.5) for at least one range of time, from the time zone data of
 * the bookings' instants (src/decisions.md). A zone with yearly rules has one STANDARD and one DAYLIGHT;
 * otherwise each transition is listed from the one before a range to the one after it. Years between
 * ranges cost nothing.
 */
export function timeZoneComponent(timezone: string, ranges: readonly TimeRange[]): string {
  const ordered = ranges.toSorted((one, other) => one.from - other.from);
  const begins = ordered[0]?.from ?? 0;
  const observances = observancesOf(timezone, begins, transitions(timezone, ordered));
  return ['BEGIN:VTIMEZONE', `TZID:${timezone}`, ...observances, 'END:VTIMEZONE'].join('\r\n');
}

function observancesOf(timezone: string, begins: number, changes: readonly Transition[]): string[] {
  const { offset } = zoned(timezone, begins);
  const fixed = observanceText('STANDARD', offset, offset, '19700101T000000');
  // The last change of the clock, perhaps from the local mean time of 1912, means nothing to a reader.
  if (changes.every(({ epochMilliseconds }) => epochMilliseconds <= begins)) return [fixed];
  const hasBegin = changes.some(({ epochMilliseconds }) => epochMilliseconds <= begins);
  const observances =
    yearlyObservances(timezone, changes) ?? changes.map((change) => observance(change));
  return hasBegin ? observances : [fixed, ...observances];
}

/** The transitions of each range in order: those before, in and after it. */
function transitions(timezone: string, ordered: readonly TimeRange[]): Transition[] {
  const found = new Map<number, Transition>();
  for (const { from, to } of ordered) {
    for (let at = from; ;) {
      const { previous, next } = spanAt(timezone, at);
      for (const change of [previous, next]) {
        if (change !== null) found.set(change.epochMilliseconds, change);
      }
      if (next === null || next.epochMilliseconds > to) break;
      at = next.epochMilliseconds;
    }
  }
  return [...found.values()].sort((one, other) => one.epochMilliseconds - other.epochMilliseconds);
}

/** A time without transitions. */
interface Span {
  /** The transition with which it begins; null if none ever was. */
  readonly previous: Transition | null;
  /** The transition with which it ends, exclusive; null if none is known. */
  readonly next: Transition | null;
}

/** A search takes milliseconds, so what was found is kept. */
const knownSpans = new LRUCache<string, Span[]>({ max: 50 });
const mostSpans = 100;

function spanAt(timezone: string, at: number): Span {
  let spans = knownSpans.get(timezone) ?? [];
  const known = spans.find(
    ({ previous, next }) =>
      (previous?.epochMilliseconds ?? -Infinity) <= at &&
      at < (next?.epochMilliseconds ?? Infinity),
  );
  if (known !== undefined) return known;
  const moment = zoned(timezone, at);
  const span = {
    previous: moment.add({ nanoseconds: 1 }).getTimeZoneTransition('previous'),
    next: moment.getTimeZoneTransition('next'),
  };
  if (spans.length >= mostSpans) spans = [];
  spans.push(span);
  knownSpans.set(timezone, spans);
  return span;
}

/** The most years of a rule, which is compared with each of their transitions and of two years more. */
const mostYears = 30;
const spareYears = 2;

/** A cache like `knownSpans`, by zone, the first two changes, and the last year. */
const knownObservances = new LRUCache<string, { yearly: string[] | null }>({ max: 100 });

/** One STANDARD and one DAYLIGHT, or null where no yearly rule has these transitions and no others. */
function yearlyObservances(timezone: string, changes: readonly Transition[]): string[] | null {
  const [first, second] = changes;
  const lastYear = (changes.at(-1)?.year ?? 0) + spareYears;
  if (first === undefined || second === undefined || lastYear - first.year > mostYears) return null;
  const key = `${timezone} ${first.epochMilliseconds} ${second.epochMilliseconds} ${lastYear}`;
  let known = knownObservances.get(key);
  if (known === undefined) {
    known = { yearly: computeYearlyObservances(timezone, [first, second], lastYear) };
    knownObservances.set(key, known);
  }
  return known.yearly;
}

function computeYearlyObservances(
  timezone: string,
  [first, second]: readonly [Transition, Transition],
  lastYear: number,
): string[] | null {
  const all = transitions(timezone, [
    { from: first.epochMilliseconds, to: Date.UTC(lastYear, 11, 31) },
  ]).filter(({ year }) => first.year <= year && year <= lastYear);
  const rules = [first, second].map((change, index) => {
    // They alternate, or are not of two rules.
    const own = all.filter((_, place) => place % 2 === index);
    // A rule never ends, but a country may cease to change its clock.
    return own.at(-1)?.year === lastYear ? yearlyRuleOf(own) : null;
  });
  return rules.includes(null)
    ? null
    : [first, second].map((change, index) => observance(change, rules[index] ?? null));
}

/** The rule of transitions that are a year apart; null if they have none. */
function yearlyRuleOf(changes: readonly Transition[]): string | null {
  const [first] = changes;
  if (first === undefined) return null;
  const begin = localStart(first);
  const nth = Math.ceil(begin.day / 7);
  const weekday = weekdayNames[begin.dayOfWeek - 1] ?? '';
  const isSame = changes.every((change, index) => {
    const local = localStart(change);
    return (
      local.year === begin.year + index &&
      local.month === begin.month &&
      local.dayOfWeek === begin.dayOfWeek &&
      local.toPlainTime().equals(begin.toPlainTime()) &&
      change.offset === first.offset &&
      justBefore(change).offset === justBefore(first).offset
    );
  });
  const all = changes.map(localStart);
  const isNth = all.every(({ day }) => Math.ceil(day / 7) === nth);
  const isLast = all.every(({ day, daysInMonth }) => day + 7 > daysInMonth);
  if (!isSame || !(isNth || isLast)) return null;
  return `FREQ=YEARLY;BYMONTH=${begin.month};BYDAY=${isLast ? -1 : nth}${weekday}`;
}

const weekdayNames = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

function zoned(timezone: string, atMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
}

function observance(change: Transition, rule: string | null = null): string {
  const before = justBefore(change);
  const kind = change.offsetNanoseconds > before.offsetNanoseconds ? 'DAYLIGHT' : 'STANDARD';
  return observanceText(kind, before.offset, change.offset, basicFormat(localStart(change)), rule);
}

function observanceText(
  kind: 'STANDARD' | 'DAYLIGHT',
  from: string,
  to: string,
  start: string,
  rule: string | null = null,
): string {
  return [
    `BEGIN:${kind}`,
    `DTSTART:${start}`,
    ...(rule === null ? [] : [`RRULE:${rule}`]),
    `TZOFFSETFROM:${from.replaceAll(':', '')}`,
    `TZOFFSETTO:${to.replaceAll(':', '')}`,
    `END:${kind}`,
  ].join('\r\n');
}

function justBefore(change: Transition): Temporal.ZonedDateTime {
  return change.subtract({ nanoseconds: 1 });
}

/** The local time of a transition in the offset before it, as 3.6.5 requires. */
function localStart(change: Transition): Temporal.PlainDateTime {
  return justBefore(change).toPlainDateTime().add({ nanoseconds: 1 });
}

/** RFC 5545, 3.3.5: `20261201T090000`. */
function basicFormat(local: Temporal.PlainDateTime): string {
  return local.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');
}
