import ical, {
  ICalEvent,
  ICalEventClass,
  ICalEventRepeatingFreq,
  ICalEventStatus,
  type ICalEventData,
} from 'ical-generator';
import type { TimeSlot } from '../../generated/schemas.js';
import type { FeedClosureRow, FeedRows, FeedSessionRow } from '../database/rows/results.js';
import type { StudioAddressRow } from '../database/rows/studio.js';
import type { StudioRow } from '../database/rows/studio.js';
import { addressOf, addressWords } from '../schedule/addresses.js';
import type { ArtistCalendar } from '../schedule/calendar.js';
import { addDays, daysBetween } from '../schedule/dates.js';
import { sessionEndsAt, slotStartsAt } from '../schedule/slots.js';
import { type ClosingTime, isDated } from '../schedule/weeks.js';
import { labelWith, phoneWords } from '../schedule/words.js';
import { calendarText, lineValue, prodId, sessionTimes, wallClock } from './ical-values.js';
import { type TimeRange, timeZoneComponent } from './time-zone-component.js';

/** The dates that a feed covers, inclusive; sessions are shown beyond `to` as well. */
export interface FeedWindow {
  readonly today: string;
  readonly from: string;
  readonly to: string;
}

export interface FeedFacts extends FeedRows {
  readonly studio: StudioRow;
  readonly addresses: readonly StudioAddressRow[];
  readonly openingHours: readonly ClosingTime[];
  /** With the closing times that count for each. */
  readonly artists: readonly Pick<ArtistCalendar, 'id' | 'hours'>[];
  readonly window: FeedWindow;
}

const daysBack = 31;
const refreshSeconds = 15 * 60;

export function feedWindow(today: string, horizonDays: number): FeedWindow {
  return { today, from: addDays(today, -daysBack), to: addDays(today, horizonDays) };
}

/** An event, and the time for which a reader must know its zone; null without a zone. */
interface FeedEvent {
  readonly data: ICalEventData;
  readonly range: TimeRange | null;
}

/**
 * The studio's calendar for programs that subscribe to it (RFC 5545): the confirmed sessions, and the
 * studio's closures within the window. Equal facts give equal text. It contains no link of a booking's
 * page, since calendars are shared.
 */
export function feedFile(facts: FeedFacts): string {
  const { studio, window } = facts;
  const events = [
    ...facts.sessions.map((session) => sessionEvent(session, facts)),
    ...facts.closures.map((closure) => closureEvent(closure, facts)),
  ];
  const calendar = ical({
    prodId: prodId('feed'),
    name: escaped(lineValue(studio.name)),
    ttl: refreshSeconds,
  });
  const zones = zoneRanges(events);
  // A calendar without any component is not valid (3.6).
  const today = Date.parse(window.today);
  if (events.length === 0) zones.set(studio.timezone, [{ from: today, to: today }]);
  return calendarText(
    calendar,
    [...zones].map(([zone, ranges]) => timeZoneComponent(zone, ranges)),
    events.map(({ data }) => new ICalEvent(data, calendar)),
  );
}

/** The library escapes texts (RFC 5545, 3.3.11), but not the calendar's name. */
function escaped(text: string): string {
  return text.replace(/[\\;,]/g, String.raw`\$&`);
}

/** The times for which the file must define each zone. The library writes UTC without a zone. */
function zoneRanges(events: readonly FeedEvent[]): Map<string, TimeRange[]> {
  const zones = new Map<string, TimeRange[]>();
  for (const { data, range } of events) {
    if (data.timezone == null || data.timezone === 'UTC' || range === null) continue;
    const ranges = zones.get(data.timezone) ?? [];
    ranges.push(range);
    zones.set(data.timezone, ranges);
  }
  return zones;
}

function sessionEvent(session: FeedSessionRow, facts: FeedFacts): FeedEvent {
  const { hasDetails, openingHours, studio, addresses } = facts;
  const { id, sequence, changedAt, name, phone } = session;
  const { range, written } = sessionTimes(session, openingHours);
  const shownName = hasDetails ? name : initialsOf(name ?? '');
  return {
    data: {
      ...eventData(id, changedAt),
      sequence,
      status: ICalEventStatus.CONFIRMED,
      ...written,
      summary: lineValue(labelWith(shownName ?? 'Session', session.artistName)),
      location: lineValue(`${studio.name}, ${addressWords(addressOf(addresses, session.date))}`),
      description: hasDetails && phone !== null ? `Phone: ${phoneWords(phone)}` : null,
    },
    range,
  };
}

function closureEvent(closure: FeedClosureRow, facts: FeedFacts): FeedEvent {
  const { id, timeSlot, startsAt, endsAt, createdAt, reason, artistName } = closure;
  const { today, from, to } = facts.window;
  const first = closure.fromDate < from ? from : closure.fromDate;
  const last = closure.toDate > to ? to : closure.toDate;
  // A clipped closure changes with each date.
  const isClipped = first !== closure.fromDate || last !== closure.toDate;
  const changedAt = isClipped ? Math.max(createdAt, Date.parse(today)) : createdAt;
  const shownReason = facts.hasDetails ? lineValue(reason ?? '') : '';
  const closed = artistName === null ? 'Closed' : lineValue(`Closed for ${artistName}`);
  const data = {
    ...eventData(id, changedAt),
    summary: shownReason === '' ? closed : `${closed}: ${shownReason}`,
  };
  if (startsAt !== null && endsAt !== null) {
    const { timezone } = facts.studio;
    const [start, end] = [wallClock(startsAt, timezone), wallClock(endsAt, timezone)];
    return { data: { ...data, timezone, start, end }, range: { from: startsAt, to: endsAt } };
  }
  return timeSlot === null
    ? { data: { ...data, ...wholeDays(first, last) }, range: null }
    : closedSlot(data, timeSlot, { first, last }, facts, hoursOf(closure, facts));
}

function wholeDays(first: string, last: string): Pick<ICalEventData, 'allDay' | 'start' | 'end'> {
  return { allDay: true, start: new Date(first), end: new Date(addDays(last, 1)) };
}

/** The closing times of those whose sessions a closure is of. Artists may share them. */
function hoursOf({ artistId }: FeedClosureRow, { artists, openingHours }: FeedFacts) {
  const closed = artists.filter(({ id }) => artistId === null || id === artistId);
  // The board may not know a new artist yet.
  return closed.length === 0 ? [openingHours] : [...new Set(closed.map(({ hours }) => hours))];
}

/** The slot on each date, as long as its longest session there. */
function closedSlot(
  data: Pick<ICalEventData, 'id'>,
  timeSlot: TimeSlot,
  { first, last }: { first: string; last: string },
  { studio: { timezone } }: FeedFacts,
  weeks: readonly (readonly ClosingTime[])[],
): FeedEvent {
  const count = daysBetween(first, last) + 1;
  const differing = weeks.flat().some(isDated) ? count : Math.min(count, 7);
  const lengths = Array.from({ length: differing }, (_, days) => {
    const { epochMs } = slotStartsAt(timezone, addDays(first, days), timeSlot);
    return weeks.map((hours) => sessionEndsAt(epochMs, timezone, hours) - epochMs);
  });
  const lengthMs = Math.max(...lengths.flat());
  const from = slotStartsAt(timezone, first, timeSlot).epochMs;
  const to = slotStartsAt(timezone, last, timeSlot).epochMs + lengthMs;
  return {
    data: {
      ...data,
      timezone,
      start: wallClock(from, timezone),
      end: wallClock(from + lengthMs, timezone),
      ...(count > 1 && { repeating: { freq: ICalEventRepeatingFreq.DAILY, count } }),
    },
    range: { from, to },
  };
}

/** The members of all events. In a shared calendar, others see only that the time is taken. */
function eventData(id: string, changedAt: number) {
  const stamp = new Date(changedAt);
  return { id, stamp, lastModified: stamp, class: ICalEventClass.PRIVATE };
}

let segmenter: Intl.Segmenter | undefined;

/**
 * The initials of a name: of its first and its last word, `A. P.`, or of its only one, `A.`. An initial
 * is what a reader sees as one character (UAX #29), with its marks. Null for a name without letters or
 * digits, such as an emoji.
 * @internal
 */
export function initialsOf(name: string): string | null {
  const initials = name.split(/\s+/).flatMap((word) => initialOf(word) ?? []);
  const shown = initials.length > 2 ? initials.filter(isFirstOrLast) : initials;
  return shown.length === 0 ? null : shown.map((initial) => `${initial}.`).join(' ');
}

function isFirstOrLast(_: string, index: number, all: readonly string[]): boolean {
  return index === 0 || index === all.length - 1;
}

function initialOf(word: string): string | undefined {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(word)) {
    if (/[\p{L}\p{N}]/u.test(segment)) return segment.toUpperCase();
  }
  return undefined;
}
