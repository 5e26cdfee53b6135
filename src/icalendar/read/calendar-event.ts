import type { EventText } from './calendar-text.js';
import { lengthBetween, lengthOf, parseMoment, type Length, type Moment } from './moments.js';
import { textOf, type Property } from './property.js';
import { dayMs } from './zones.js';

/** What a VEVENT component says about when it is busy. */
export interface CalendarEvent {
  readonly text: EventText;
  /** Neither cancelled nor transparent. */
  readonly isBusy: boolean;
  readonly start: Moment;
  readonly end: Moment | null;
  readonly duration: string | null;
  /** The instance of a recurring event that it describes, by its original start, or null. */
  readonly recurrenceId: Moment | null;
  /** Whether it also describes all later instances (RFC 5545, 3.2.13). */
  readonly isForFuture: boolean;
  /** Properties whose values may be many. */
  readonly rules: readonly Property[];
  readonly dates: readonly Property[];
  readonly excludedDates: readonly Property[];
}

/**
 * An event, or null if it says no time.
 *
 * @throws UnreadableCalendarError when a date is broken
 */
export function parseEvent(text: EventText): CalendarEvent | null {
  const { properties, zones } = text;
  const find = (name: string) => properties.find((property) => property[0] === name);
  const all = (name: string) => properties.filter((property) => property[0] === name);
  const moment = (name: string): Moment | null => {
    const property = find(name);
    return property === undefined ? null : parseMoment(property[3], property, zones);
  };
  const recurrenceId = moment('recurrence-id');
  // An instance that is only cancelled need not say again when it would have been.
  const start = moment('dtstart') ?? recurrenceId;
  if (start === null) return null;
  const valueOf = (name: string) => textOf(properties, name)?.toUpperCase() ?? null;
  const range = find('recurrence-id')?.[1]['range'];
  return {
    text,
    isBusy: valueOf('transp') !== 'TRANSPARENT' && valueOf('status') !== 'CANCELLED',
    start,
    end: moment('dtend'),
    duration: valueOf('duration'),
    recurrenceId,
    isForFuture: typeof range === 'string' && range.toUpperCase() === 'THISANDFUTURE',
    rules: all('rrule'),
    dates: all('rdate'),
    excludedDates: all('exdate'),
  };
}

export function lengthOfEvent({ start, end, duration }: CalendarEvent): Length {
  return end === null ? lengthOf(start, duration) : lengthBetween(start, end);
}

/** Zones differ by at most 26 hours; with them, local times can stand for instants. */
export const zoneMarginMs = 2 * dayMs;

/** At most the milliseconds from an instance's start to its end, without asking zones. */
export function reachOfEvent({ start, end, duration }: CalendarEvent): number {
  if (end !== null) return Math.max(dayMs, end.local - start.local + zoneMarginMs);
  const { days, exactMs } = lengthOf(start, duration);
  return days * dayMs + exactMs;
}
