import type { CalendarRequest, EventList, ListedEvent } from '../calendar-reader.js';
import { addAllEvents } from './busy-intervals.js';
import { isBusyText } from './calendar-event.js';
import type { EventText } from './calendar-text.js';
import { createOccurrenceBudget } from './limits.js';
import { parseMoment } from './moments.js';
import { findProperty, parameterOf, unescaped, valueOf } from './property.js';
import type { Zone } from './zones.js';

/**
 * Each event and occurrence that overlaps the time from the first slot's start until the last one's, by
 * its start, uncut.
 *
 * @param hasFree whether to list events that are marked as free, such as public holidays
 * @throws TooManyOccurrencesError when there are more than `listed`, or `occurrences` to step through
 */
export function listEvents(
  given: readonly EventText[],
  {
    slotStarts,
    occurrences,
    listed: limit,
    hasFree,
    own,
  }: Pick<NonNullable<CalendarRequest['listing']>, 'hasFree' | 'own'> & {
    slotStarts: readonly number[];
    occurrences: number;
    listed: number;
  },
): EventList {
  const texts = hasFree ? given.map(withoutTransparency) : given;
  const [from = 0] = slotStarts;
  const to = slotStarts.at(-1) ?? 0;
  const listed = createOccurrenceBudget(limit);
  const events = new Map<string, ListedEvent>();
  const inList = new Set<EventText>();
  const collectorFor = (text: EventText) => {
    const words = wordsOf(text, own);
    return {
      window: { from, to },
      add(startsAt: number, endsAt: number): void {
        const isBefore = endsAt <= from && startsAt < from;
        if (startsAt >= to || isBefore || endsAt < startsAt) return;
        inList.add(text);
        const key = `${text.line} ${startsAt}`;
        // A rule and a date can name the same occurrence.
        if (events.has(key)) return;
        listed.spend();
        events.set(key, { ...words, line: text.line, startsAt, endsAt });
      },
    };
  };
  addAllEvents(texts, collectorFor, createOccurrenceBudget(occurrences));
  const others = texts.filter((text) => !inList.has(text));
  const free = others.filter((text) => !isBusyText(text)).length;
  return {
    events: [...events.values()].sort((one, other) => one.startsAt - other.startsAt),
    skipped: { free, outside: others.length - free },
  };
}

/** An event that is busy unless it is cancelled. */
function withoutTransparency(text: EventText): EventText {
  const names = ['TRANSP', 'X-MICROSOFT-CDO-BUSYSTATUS'];
  return { ...text, properties: text.properties.filter(({ name }) => !names.includes(name)) };
}

/** The most characters of a text that can be stored. */
const maxTextLength = 2_000;

function wordsOf(
  text: EventText,
  own: readonly string[],
): Omit<ListedEvent, 'line' | 'startsAt' | 'endsAt'> {
  const { properties } = text;
  const textOf = (name: string) =>
    unescaped(valueOf(properties, name) ?? '').slice(0, maxTextLength);
  const organizer = mailboxOf(valueOf(properties, 'ORGANIZER') ?? '');
  const all = properties.filter(({ name }) => name === 'ATTENDEE');
  const attendees = all.filter(
    ({ parameters, value }) =>
      ![organizer, ...own].includes(mailboxOf(value)) &&
      !/;\s*CUTYPE\s*=\s*"?(RESOURCE|ROOM)/i.test(parameters),
  );
  const attendee = attendees.find(
    ({ parameters }) => !/;\s*PARTSTAT\s*=\s*"?DECLINED/i.test(parameters),
  );
  const isDeclined = attendees.length > 0 && attendee === undefined;
  const email = mailboxOf(attendee?.value ?? '');
  const name = attendee === undefined ? '' : (parameterOf(attendee, 'CN') ?? '');
  const zone = zoneOf(text);
  return {
    zone: zone?.id ?? null,
    isUnclear: zone?.latestOf !== undefined,
    status: isDeclined ? 'DECLINED' : textOf('STATUS'),
    summary: textOf('SUMMARY'),
    description: textOf('DESCRIPTION'),
    // Google repeats the address of a guest without a name.
    attendeeName: mailboxOf(name) === email ? '' : name.slice(0, maxTextLength),
    attendeeEmail: email,
    ownAddresses: own.filter(
      (each) => each === organizer || all.some(({ value }) => mailboxOf(value) === each),
    ),
  };
}

function mailboxOf(value: string): string {
  return value
    .replace(/^mailto:/i, '')
    .trim()
    .toLowerCase()
    .slice(0, maxTextLength);
}

/** The zone that the start is written in; null of a date. */
function zoneOf(text: EventText): Zone | null {
  const { properties, zones } = text;
  const start = findProperty(properties, 'DTSTART');
  if (start === null) return null;
  const moment = text.readOrTell(start.line, 'date', () => parseMoment(start.value, start, zones));
  return moment === null || moment.isDate ? null : moment.zone;
}
