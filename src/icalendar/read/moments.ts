import ICAL from 'ical.js';
import { type Property, UnreadableCalendarError } from './property.js';
import { dateOf, dayMs, localMs, type LocalMs, utcZone, type Zone } from './zones.js';

/** A DATE or DATE-TIME as it is written. */
export interface Moment {
  readonly local: LocalMs;
  /** A date without a time, from its local midnight on. */
  readonly isDate: boolean;
  readonly zone: Zone;
}

/** How long an event lasts: days in local time, then exact milliseconds. */
export interface Length {
  readonly days: number;
  readonly exactMs: number;
}

/** Finds the zones of times in one calendar. */
export interface CalendarZones {
  /** Of dates and of floating times. */
  readonly studio: Zone;
  named(tzid: string): Zone;
}

/** As jCal has dates (RFC 7265, 3.6.5); `T::` is what `ical.js` makes of a date that is no DATE. */
const valuePattern = /^(\d{4})-(\d\d)-(\d\d)(?:T::|T(\d\d):(\d\d):(\d\d)(Z?))?$/i;

/** @throws UnreadableCalendarError when the value is no date that exists */
export function parseMoment(value: unknown, property: Property, zones: CalendarZones): Moment {
  const match = typeof value === 'string' ? valuePattern.exec(value) : null;
  if (match === null) throw new UnreadableCalendarError();
  const [year = 0, month = 0, day = 0] = match.slice(1, 4).map(Number);
  const date = localMs(year, month, day);
  if (new Date(date).getUTCMonth() !== month - 1) throw new UnreadableCalendarError();
  if (match[4] === undefined) return { local: date, isDate: true, zone: zones.studio };
  const [hour = 0, minute = 0, second = 0] = match.slice(4, 7).map(Number);
  // A minute can have a leap second.
  if (hour > 23 || minute > 59 || second > 60) throw new UnreadableCalendarError();
  const local = localMs(year, month, day, hour, minute, second);
  return { local, isDate: false, zone: zoneOf(match[7] !== '', property, zones) };
}

function zoneOf(isUtc: boolean, [, { tzid }]: Property, zones: CalendarZones): Zone {
  if (isUtc) return utcZone;
  return typeof tzid === 'string' ? zones.named(tzid) : zones.studio;
}

export function instantOf({ local, zone }: Moment): number {
  return zone.instantOf(local);
}

/** The length of an event from its start and its end, in exact time or, between dates, in days. */
export function lengthBetween(start: Moment, end: Moment): Length {
  if (!start.isDate) return { days: 0, exactMs: instantOf(end) - instantOf(start) };
  // Whole days, at least one (RFC 5545, 3.6.1).
  return { days: Math.max(1, Math.ceil((end.local - start.local) / dayMs)), exactMs: 0 };
}

/** The length of an event that has a duration, or neither a duration nor an end. */
export function lengthOf(start: Moment, duration: string | null): Length {
  if (duration === null) return { days: start.isDate ? 1 : 0, exactMs: 0 };
  const { isNegative, weeks, days, hours, minutes, seconds } = ICAL.Duration.fromString(duration);
  if (isNegative) return lengthOf(start, null);
  const exactMs = ((hours * 60 + minutes) * 60 + seconds) * 1000;
  const nominalDays = weeks * 7 + days;
  return start.isDate && nominalDays === 0 && exactMs < dayMs
    ? lengthOf(start, null)
    : { days: nominalDays, exactMs };
}

/** When an event ends that starts at `start`: milliseconds since the epoch. */
export function endOf({ local, zone }: Moment, { days, exactMs }: Length): number {
  return zone.instantOf(local + days * dayMs) + exactMs;
}

/** Instances of a recurring event, by their starts: those excluded or described on their own. */
export interface InstanceSet {
  add(id: Moment): void;
  has(instance: Moment): boolean;
}

/**
 * Instances are named by their instants, or by their dates where either side has no time: some
 * calendars exclude a date from an event at a time of day, and midnight from an all-day event.
 */
export function createInstanceSet(start: Moment): InstanceSet {
  const instants = new Set<number>();
  const dates = new Set<LocalMs>();
  return {
    add(id) {
      if (id.isDate || start.isDate) dates.add(dateOf(id.local));
      else instants.add(instantOf(id));
    },
    has: (instance) =>
      (dates.size > 0 && dates.has(dateOf(instance.local))) ||
      (instants.size > 0 && instants.has(instantOf(instance))),
  };
}
