import type { EventText } from './calendar-text.js';
import {
  dayOfEnd,
  inZoneOf,
  instantOf,
  type Length,
  latestOf,
  lengthBetween,
  type Moment,
  parseDateOnly,
  parseDuration,
  parseMoment,
  restOfDay,
  usualLength,
} from './moments.js';
import { findProperty, parameterOf, type Property, valueOf } from './property.js';
import { zoneMarginMs } from './rule-times.js';
import { dayMs } from './zones.js';

/** The times of a VEVENT component. */
export interface CalendarEvent {
  readonly text: EventText;
  /** Neither cancelled nor transparent. */
  readonly isBusy: boolean;
  readonly start: Moment;
  readonly length: Length;
  /** Grows with each change of the event (RFC 5545, 3.8.7.4). */
  readonly sequence: number;
  /** The instance of a recurring event that it describes, by its original start, or null. */
  readonly recurrenceId: Moment | null;
  /** Whether it also describes all later instances (RFC 5545, 3.2.13). */
  readonly isForFuture: boolean;
  /** Properties whose values may be many. */
  readonly rules: readonly Property[];
  readonly dates: readonly Property[];
  readonly excludedDates: readonly Property[];
  readonly excludedRules: readonly Property[];
}

/** An event; null, with a note, if it has no readable start. */
export function parseEvent(text: EventText): CalendarEvent | null {
  const { properties } = text;
  const all = (name: string) => properties.filter((each) => each.name === name);
  const rulesOf = (name: string) => all(name).filter(({ value }) => value !== '');
  const rules = rulesOf('RRULE');
  // Some calendars write one for a whole series, too, which then means nothing.
  const id = rules.length > 0 ? null : findProperty(properties, 'RECURRENCE-ID');
  const recurrenceId = id === null ? null : momentOf(text, id);
  const range = id === null ? null : parameterOf(id, 'RANGE');
  const isBusy = isBusyText(text);
  const times = timesOf(text, recurrenceId, isBusy);
  if (times === null) return null;
  return {
    text,
    isBusy: isBusy && times.length.exactMs >= 0,
    ...times,
    sequence: Number(/^\d{1,9}$/.exec(valueOf(properties, 'SEQUENCE') ?? '')?.[0] ?? 0),
    recurrenceId,
    isForFuture: range?.toUpperCase() === 'THISANDFUTURE',
    rules,
    dates: all('RDATE'),
    excludedDates: all('EXDATE'),
    excludedRules: rulesOf('EXRULE'),
  };
}

/** Outlook has states of its own, which it shows in place of the standard one. */
const busyStates = ['BUSY', 'OOF', 'TENTATIVE'];

export function isBusyText({ properties, isCancelled }: EventText): boolean {
  const value = (name: string) => valueOf(properties, name)?.toUpperCase();
  if (isCancelled || value('STATUS') === 'CANCELLED') return false;
  const state = value('X-MICROSOFT-CDO-BUSYSTATUS');
  const transparency = value('TRANSP') ?? (state === 'FREE' ? 'TRANSPARENT' : 'OPAQUE');
  return transparency !== 'TRANSPARENT' || busyStates.includes(state ?? '');
}

function momentOf(text: EventText, property: Property): Moment | null {
  const { value, line } = property;
  return text.readOrTell(line, 'date', () => parseMoment(value, property, text.zones));
}

/** Start and length: an unreadable part is noted, and closes at most the day of the rest. */
function timesOf(
  text: EventText,
  recurrenceId: Moment | null,
  isBusy: boolean,
): Pick<CalendarEvent, 'start' | 'length'> | null {
  const { properties } = text;
  const { studio } = text.zones;
  const endProperty = findProperty(properties, 'DTEND');
  const end = endProperty === null ? null : momentOf(text, endProperty);
  const given = startOf(text, end);
  // A cancelled instance need not repeat its time.
  const start = given ?? recurrenceId;
  if (start === null) {
    if (isBusy && findProperty(properties, 'DTSTART') === null) text.tell(text.line, 'no_start');
    return null;
  }
  if (endProperty !== null) {
    if (end === null) return { start, length: restOfDay(start, studio) };
    const between = timesBetween(start, end);
    if (between.length.exactMs < 0) text.tell(endProperty.line, 'end_before_start');
    return between;
  }
  const duration = findProperty(properties, 'DURATION');
  if (duration === null) return { start, length: usualLength(start) };
  const { value, line } = duration;
  const length = text.readOrTell(line, 'duration', () => parseDuration(value, start));
  if (length === null) return { start, length: restOfDay(start, studio) };
  if (length.exactMs < 0) text.tell(line, 'end_before_start');
  return { start, length };
}

/** The start; if it cannot be read, the day that it or the end has. */
function startOf(text: EventText, end: Moment | null): Moment | null {
  const property = findProperty(text.properties, 'DTSTART');
  if (property === null) return null;
  const start = momentOf(text, property);
  if (start !== null) return start;
  const date = parseDateOnly(property.value, text.zones);
  return date ?? (end === null ? null : dayOfEnd(end, text.zones.studio));
}

/** A time without a zone is in that of the other end, if the event then ends after it starts. */
function timesBetween(start: Moment, end: Moment): Pick<CalendarEvent, 'start' | 'length'> {
  const ends = inZoneOf(start, end);
  if (!start.isFloating || end.isFloating || latestOf(ends) > instantOf(start)) {
    return { start, length: lengthBetween(start, ends) };
  }
  const begins = inZoneOf(end, start);
  return { start: begins, length: lengthBetween(begins, end) };
}

/** At most the milliseconds from an instance's start to its end. */
export function reachOfEvent({ length: { days, exactMs } }: CalendarEvent): number {
  return Math.max(dayMs, days * dayMs + exactMs) + zoneMarginMs;
}
