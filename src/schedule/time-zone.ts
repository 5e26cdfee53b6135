import { Temporal } from 'temporal-polyfill';

/** Milliseconds since the epoch, both included. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The VTIMEZONE component (RFC 5545, 3.6.5) for ranges of time, at least one: of each, the offset
 * transitions from the one before it to the one after it, from the same time zone data that determined
 * the bookings' instants. A session in a thousand years costs no transition of the years until then.
 */
export function timeZoneComponent(timezone: string, ranges: readonly TimeRange[]): string {
  const ordered = ranges.toSorted((one, other) => one.from - other.from);
  const changes = transitions(timezone, ordered);
  const observances = changes.map((change) =>
    observance(change.subtract({ nanoseconds: 1 }).offset, change.offset, localStart(change)),
  );
  const begins = ordered[0]?.from ?? 0;
  const first = changes[0];
  if (first === undefined || first.epochMilliseconds > begins) {
    const { offset } = zoned(timezone, begins);
    observances.unshift(observance(offset, offset, '19700101T000000'));
  }
  return ['BEGIN:VTIMEZONE', `TZID:${timezone}`, ...observances, 'END:VTIMEZONE'].join('\r\n');
}

/** In order. A search takes milliseconds, so none is made for a range between known transitions. */
function transitions(timezone: string, ordered: readonly TimeRange[]): Temporal.ZonedDateTime[] {
  const found = new Map<number, Temporal.ZonedDateTime>();
  const add = (change: Temporal.ZonedDateTime | null): number => {
    if (change === null) return Infinity;
    found.set(change.epochMilliseconds, change);
    return change.epochMilliseconds;
  };
  /** The next transition after those ranges that are done. */
  let next = -Infinity;
  for (const { from, to } of ordered) {
    if (from >= next) {
      const moment = zoned(timezone, from);
      add(moment.add({ nanoseconds: 1 }).getTimeZoneTransition('previous'));
      next = add(moment.getTimeZoneTransition('next'));
    }
    while (next <= to) next = add(zoned(timezone, next).getTimeZoneTransition('next'));
  }
  return [...found.values()];
}

function zoned(timezone: string, atMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
}

function observance(from: string, to: string, start: string): string {
  const kind = offsetMinutes(to) > offsetMinutes(from) ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${kind}`,
    `DTSTART:${start}`,
    `TZOFFSETFROM:${from.replaceAll(':', '')}`,
    `TZOFFSETTO:${to.replaceAll(':', '')}`,
    `END:${kind}`,
  ].join('\r\n');
}

/** The local time of a transition in the offset before it, as 3.6.5 requires. */
function localStart(change: Temporal.ZonedDateTime): string {
  const before = change.subtract({ nanoseconds: 1 });
  return basicFormat(change.toInstant().toZonedDateTimeISO(before.offset).toPlainDateTime());
}

/** RFC 5545, 3.3.5: `20261201T090000`. */
function basicFormat(local: Temporal.PlainDateTime): string {
  return local.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');
}

function offsetMinutes(offset: string): number {
  const [hours = '0', minutes = '0'] = offset.slice(1).split(':');
  return (Number(hours) * 60 + Number(minutes)) * (offset.startsWith('-') ? -1 : 1);
}
