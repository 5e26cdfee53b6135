import { parameterOf, type Property, UnreadableCalendarError } from './property.js';
import {
  dateOf,
  dayMs,
  fixedZone,
  hourMs,
  localMs,
  type LocalMs,
  utcZone,
  type Zone,
  localAt,
} from './zones.js';

/** A DATE or DATE-TIME as it is written. */
export interface Moment {
  readonly local: LocalMs;
  /** A date without a time, from its local midnight on. */
  readonly isDate: boolean;
  /** A time without a zone. */
  readonly isFloating: boolean;
  readonly zone: Zone;
}

/** How long an event lasts: days in local time, then exact milliseconds. */
export interface Length {
  readonly days: number;
  readonly exactMs: number;
}

/** Finds the zones of times in one calendar. */
export interface CalendarZones {
  /** The zone of dates. */
  readonly studio: Zone;
  /** The zone of times without one. */
  readonly floating: Zone;
  /** The zone of a name; an unknown one is noted. */
  named(tzid: string, line: number): Zone;
}

/** ISO 8601, basic or extended; a date can have a Z that means nothing. */
const momentPattern =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:Z|[T ]\s*(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d*)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * @param value of the property, or one of its values
 * @throws UnreadableCalendarError when the value is no date that exists
 */
export function parseMoment(value: string, property: Property, zones: CalendarZones): Moment {
  const match = momentPattern.exec(value);
  if (match === null) throw new UnreadableCalendarError();
  const [, year = '', month = '', day = '', hour, minute = '', second = '0', offset = ''] = match;
  const date = dateThatExists(Number(year), Number(month), Number(day));
  // A time beside VALUE=DATE means nothing.
  if (hour === undefined || parameterOf(property, 'VALUE')?.toUpperCase() === 'DATE') {
    return { local: date, isDate: true, isFloating: false, zone: zones.studio };
  }
  const local = date + timeThatExists(Number(hour), Number(minute), Number(second));
  if (offset !== '') return { local, isDate: false, isFloating: false, zone: offsetZone(offset) };
  const tzid = parameterOf(property, 'TZID');
  const isFloating = tzid === null || tzid === '';
  const zone = isFloating ? zones.floating : zones.named(tzid, property.line);
  return { local, isDate: false, isFloating, zone };
}

/** The date of a moment whose time cannot be read, or null. */
export function parseDateOnly(value: string, zones: CalendarZones): Moment | null {
  const match = /^(\d{4})-?(\d\d)-?(\d\d)(?!\d)/.exec(value);
  if (match === null) return null;
  try {
    const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
    const local = dateThatExists(year, month, day);
    return { local, isDate: true, isFloating: false, zone: zones.studio };
  } catch {
    return null;
  }
}

function dateThatExists(year: number, month: number, day: number): LocalMs {
  const date = localMs(year, month, day);
  if (new Date(date).getUTCMonth() !== month - 1) throw new UnreadableCalendarError();
  return date;
}

function timeThatExists(hour: number, minute: number, second: number): number {
  // A minute can have a leap second, and a day ends at 24:00.
  const isTime = minute <= 59 && second <= 60 && (hour <= 23 || (hour === 24 && minute === 0));
  if (!isTime) throw new UnreadableCalendarError();
  return ((hour * 60 + minute) * 60 + second) * 1000;
}

function offsetZone(text: string): Zone {
  return /^Z$/i.test(text) ? utcZone : fixedZone(text, parseOffset(text) ?? 0);
}

/** `+0100`, `-05:00`, `+013045`: milliseconds east of Greenwich, or null if it is no offset. */
export function parseOffset(text: string): number | null {
  const match = /^([+-]?)(\d\d):?(\d\d)(?::?(\d\d))?$/.exec(text.trim());
  if (match === null) return null;
  const [, sign, hours, minutes, seconds = '0'] = match;
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return ms >= dayMs ? null : ms * (sign === '-' ? -1 : 1);
}

export function instantOf({ local, zone }: Moment): number {
  return zone.instantOf(local);
}

/** A time without a zone is in that of the event, if the event names one. */
export function inZoneOf({ zone, isDate }: Moment, moment: Moment): Moment {
  return moment.isFloating && !isDate && zone !== utcZone ? { ...moment, zone } : moment;
}

/** The latest instant of a moment: `instantOf` where its zone is known. */
export function latestOf({ local, zone }: Moment): number {
  return (zone.latestOf ?? zone.instantOf)(local);
}

/** Negative if the event ends before it starts: in exact time or, from a date on, in days. */
export function lengthBetween(start: Moment, end: Moment): Length {
  if (!start.isDate) {
    // `endOf` counts from the latest start.
    const begin = start.zone === end.zone ? latestOf(start) : instantOf(start);
    return { days: 0, exactMs: latestOf(end) - begin };
  }
  // Whole days, at least one (RFC 5545, 3.6.1).
  return { days: Math.max(1, Math.ceil((end.local - start.local) / dayMs)), exactMs: 0 };
}

/** The length of an event with neither a duration nor an end. */
export function usualLength({ isDate }: Moment): Length {
  return { days: isDate ? 1 : 0, exactMs: 0 };
}

/** The time until midnight in the studio, for an event with an unreadable end. */
export function restOfDay(start: Moment, studio: Zone): Length {
  if (start.isDate) return usualLength(start);
  const startsAt = instantOf(start);
  const midnight = dateOf(localAt(studio, startsAt)) + dayMs;
  return { days: 0, exactMs: studio.instantOf(midnight) - startsAt };
}

/** The first instant, in the studio, of the day in which an event without a readable start ends. */
export function dayOfEnd(end: Moment, studio: Zone): Moment {
  // Exclusive: an end at midnight is of the day before.
  const local = dateOf(localAt(studio, instantOf(end) - 1));
  return { local, isDate: false, isFloating: false, zone: studio };
}

const durationPattern = /^([+-]?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i;

/** More than any calendar covers, and little enough for dates. */
const mostDays = 3_660_000;

/**
 * Negative if the duration is.
 *
 * @throws UnreadableCalendarError when it is none
 */
export function parseDuration(text: string, start: Moment): Length {
  const match = durationPattern.exec(text);
  if (match === null || !/\d/.test(text)) throw new UnreadableCalendarError();
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(2)
    .map((part: string | undefined) => Number(part ?? 0));
  const exactMs = Math.min(hours * hourMs + minutes * 60_000 + seconds * 1000, mostDays * dayMs);
  const nominalDays = Math.min(weeks * 7 + days, mostDays);
  if (match[1] === '-') return { days: 0, exactMs: -1 };
  if (!start.isDate || nominalDays > 0) return { days: nominalDays, exactMs };
  // Hours of whole days, of which one can have 23 or 25.
  const wholeDays = Math.max(1, Math.ceil((exactMs - hourMs) / dayMs));
  return { days: wholeDays, exactMs: Math.max(0, exactMs - wholeDays * dayMs) };
}

/** The latest end of an event that starts at `start`: milliseconds since the epoch. */
export function endOf(start: Moment, { days, exactMs }: Length): number {
  return latestOf({ ...start, local: start.local + days * dayMs }) + exactMs;
}

export type InstanceSet = ReturnType<typeof createInstanceSet>;

/**
 * The starts of a recurring event's instances that are excluded or described on their own: as instants,
 * or as dates where either side has no time. Some calendars exclude a date from an event at a time of
 * day, and midnight from an all-day event.
 */
export function createInstanceSet(start: Moment) {
  const instants = new Set<number>();
  const dates = new Set<LocalMs>();
  return {
    add(id: Moment): void {
      if (id.isDate || start.isDate) dates.add(dateOf(id.local));
      else instants.add(instantOf(id));
    },
    has: (instance: Moment): boolean =>
      (dates.size > 0 && dates.has(dateOf(instance.local))) ||
      (instants.size > 0 && instants.has(instantOf(instance))),
  };
}
