import { Temporal } from 'temporal-polyfill';

/**
 * Local times are numbers: the milliseconds since the epoch at which a clock on UTC would show them.
 * Days then all have 24 hours, and weekdays and dates are plain arithmetic.
 */
export type LocalMs = number;

/** Local times between which instances matter. */
export interface LocalRange {
  readonly from: LocalMs;
  readonly to: LocalMs;
}

export interface Zone {
  /** The name in the IANA database, the offset, or any other name. */
  readonly id: string;
  /**
   * Milliseconds since the epoch. A skipped local time moves forward by the length of the gap; a repeated
   * one is the first (RFC 5545, 3.3.5). In an unknown zone, it is the earliest possible.
   */
  readonly instantOf: (local: LocalMs) => number;
  /** The latest instant of a local time, if the zone is not known. */
  readonly latestOf?: (local: LocalMs) => number;
}

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

export const utcZone: Zone = { id: 'UTC', instantOf: (local) => local };

/** @param offsetMs east of Greenwich */
export function fixedZone(id: string, offsetMs: number): Zone {
  return { id, instantOf: (local) => local - offsetMs };
}

/** A zone of which only the bounds of its offset are known, in milliseconds east of Greenwich. */
export function spanningZone(id: string, offsets: { most: number; least: number }): Zone {
  return {
    id,
    instantOf: (local) => local - offsets.most,
    latestOf: (local) => local - offsets.least,
  };
}

/** A zone that can be either of two: from the earlier to the later instant of a local time. */
export function eitherZone(id: string, one: Zone, other: Zone): Zone {
  return {
    id,
    instantOf: (local) => Math.min(one.instantOf(local), other.instantOf(local)),
    latestOf: (local) => Math.max(one.instantOf(local), other.instantOf(local)),
  };
}

/** Every offset that a zone can have: from UTC+14 to UTC−12. */
export function unknownZone(): Zone {
  return spanningZone('unknown', { most: 14 * hourMs, least: -12 * hourMs });
}

const spanMs = 7 * dayMs;
const mostSpans = 5_000;

const ianaZones = new Map<string, Zone>();

/**
 * A time zone of the IANA database, made once.
 *
 * @throws RangeError when there is none of that name
 */
export function ianaZone(name: string): Zone {
  // Throws for unknown names, and accepts nothing but names and offsets.
  const { timeZoneId } = new Temporal.ZonedDateTime(0n, name);
  const zone = ianaZones.get(timeZoneId) ?? zoneOf(timeZoneId);
  ianaZones.set(timeZoneId, zone);
  return zone;
}

function zoneOf(timeZoneId: string): Zone {
  const exactly = (local: LocalMs): number => {
    const date = new Date(local);
    return new Temporal.PlainDateTime(
      date.getUTCFullYear(),
      date.getUTCMonth() + 1,
      date.getUTCDate(),
      date.getUTCHours(),
      date.getUTCMinutes(),
      date.getUTCSeconds(),
    ).toZonedDateTime(timeZoneId).epochMilliseconds;
  };
  /** Offsets of weeks, whose exact times are computed by the polyfill too slowly; null around a change. */
  const spans = new Map<number, number | null>();
  const offsetOf = (span: number): number | null => {
    const before = span * spanMs - dayMs;
    const after = (span + 1) * spanMs + dayMs;
    const offset = before - exactly(before);
    return offset === after - exactly(after) ? offset : null;
  };
  return {
    id: timeZoneId,
    instantOf(local) {
      const span = Math.floor(local / spanMs);
      let offset = spans.get(span);
      if (offset === undefined) {
        if (spans.size >= mostSpans) spans.clear();
        offset = offsetOf(span);
        spans.set(span, offset);
      }
      return offset === null ? exactly(local) : local - offset;
    },
  };
}

/** The local time at an instant. */
export function localAt({ instantOf }: Zone, instant: number): LocalMs {
  // The first step uses the offset near that instant, the second the one at it.
  const near = instant * 2 - instantOf(instant);
  return near + instant - instantOf(near);
}

/** Overflowing units carry over, as those of `Date` do. */
export function localMs(
  year: number,
  month: number,
  day: number,
  hour = 0,
  minute = 0,
  second = 0,
): LocalMs {
  // Unlike `Date.UTC`, which takes the years 0 to 99 for the twentieth century.
  return (
    new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000
  );
}

/** The date of a local time, as the local time at which it begins. */
export function dateOf(local: LocalMs): LocalMs {
  return Math.floor(local / dayMs) * dayMs;
}
