import ICAL from 'ical.js';
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
  /**
   * Milliseconds since the epoch. A skipped local time moves forward by the length of the gap; of a
   * repeated one the first is meant (RFC 5545, 3.3.5).
   *
   * @throws RangeError beyond the years that dates can have
   */
  readonly instantOf: (local: LocalMs) => number;
}

export const dayMs = 86_400_000;

export const utcZone: Zone = { instantOf: (local) => local };

/**
 * A time zone of the IANA database.
 *
 * @throws RangeError when there is none of that name
 */
export function ianaZone(name: string): Zone {
  // Throws for unknown names, and accepts nothing but names and offsets.
  const { timeZoneId } = new Temporal.ZonedDateTime(0n, name);
  return {
    instantOf(local) {
      const date = new Date(local);
      return new Temporal.PlainDateTime(
        date.getUTCFullYear(),
        date.getUTCMonth() + 1,
        date.getUTCDate(),
        date.getUTCHours(),
        date.getUTCMinutes(),
        date.getUTCSeconds(),
      ).toZonedDateTime(timeZoneId).epochMilliseconds;
    },
  };
}

/**
 * A time zone by its definition in a calendar (RFC 5545, 3.6.5), or null if that says nothing.
 *
 * @param definition a whole VTIMEZONE component, as jCal
 */
export function definedZone(definition: readonly unknown[]): Zone | null {
  const component = new ICAL.Component([...definition]);
  if (component.getAllSubcomponents().length === 0) return null;
  const timezone = new ICAL.Timezone({ component });
  const offsetAt = (local: LocalMs) => timezone.utcOffset(floatingTime(local)) * 1000;
  return {
    instantOf(local) {
      const before = offsetAt(local - dayMs);
      const after = offsetAt(local + dayMs);
      if (before === after) return local - before;
      // `utcOffset` has the later offset from the start of the gap or of the repeated hour on, while
      // RFC 5545 (3.3.5) has the earlier one until its end.
      return local - offsetAt(local - Math.abs(after - before));
    },
  };
}

/** The local time at an instant. */
export function localAt({ instantOf }: Zone, instant: number): LocalMs {
  // The first step is by the offset near that instant, the second by the one at it.
  const near = instant * 2 - instantOf(instant);
  return near + instant - instantOf(near);
}

/** The same local time for `ical.js`, in no zone. */
function floatingTime(local: LocalMs): ICAL.Time {
  const date = new Date(local);
  return new ICAL.Time(
    {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
      isDate: false,
    },
    ICAL.Timezone.localTimezone,
  );
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
