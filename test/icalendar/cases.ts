import { busyIntervals } from '../../src/icalendar/read/busy-intervals.js';
import { type EventText, readCalendarText } from '../../src/icalendar/read/calendar-text.js';
import { collectNotes, type ReadingNotes } from '../../src/icalendar/read/notes.js';
import { calendar, event, slotStarts } from './start-reader.js';

/**
 * The components of a calendar, or a whole stream, and its busy intervals that decide about the slots
 * of 1 December 2026 in the studio: in UTC, with the day where it is not the 1st, then the lines that
 * cannot be read and why; or `refused`.
 */
export type Case = readonly [
  what: string,
  ics: string | readonly string[],
  busy: string,
  studio?: string,
];

export const hour = 'DURATION:PT1H';
export const atSix = 'DTSTART:20261201T180000Z';
export const dentistTime = '18:00-19:00';
export const allSlots = '17:00-02 05:00';
export const between = (times: string) =>
  event(`DTSTART:20261201T${times.replace('-', '00Z\r\nDTEND:20261201T')}00Z`);
export const inZone = (zone: string, time: string) =>
  event(`DTSTART;TZID=${zone}:20261201T${time}00`, hour);

/** A zone of the calendar's own: each observance is its kind, start, offsets and further lines. */
export const zone = (name: string, ...observances: string[][]) =>
  [
    `BEGIN:VTIMEZONE\r\nTZID:${name}`,
    ...observances.flatMap(([kind, start, from, to, ...more]) => [
      `BEGIN:${kind}\r\nDTSTART:${start}\r\nTZOFFSETFROM:${from}\r\nTZOFFSETTO:${to}`,
      ...more,
      `END:${kind}`,
    ]),
    'END:VTIMEZONE',
  ].join('\r\n');
export const fixed = (name: string, offset: string) =>
  zone(name, ['STANDARD', '20000101T000000', offset, offset]);

/** The events of a calendar, and what reading has to say of it, for as long as its events are read. */
export function readText(
  ics: string | Buffer,
  timezone: string,
): { events: EventText[]; notes: ReadingNotes } {
  const notes = collectNotes();
  return { events: readCalendarText(Buffer.from(ics as string), { timezone, notes }), notes };
}

/** As the cases write it. */
export function busyTimes(
  ics: string | readonly string[],
  studio: string,
  starts = slotStarts,
): string {
  const text = typeof ics === 'string' && /^BEGIN:VC/.test(ics) ? ics : calendar(...[ics].flat());
  const time = (at: number) =>
    new Date(at).toISOString().slice(8, 16).replace('T', ' ').replace('01 ', '');
  try {
    const { events, notes } = readText(text, studio);
    const busy = busyIntervals(events, { slotStarts: starts, occurrences: 10_000 })
      .map(({ startsAt, endsAt }) => `${time(startsAt)}-${time(endsAt)}`)
      .join(' ');
    const told = notes.unreadable().lines.map(({ line, reason }) => ` ${line} ${reason}`);
    return busy + told.join('');
  } catch (error) {
    // A rule without an end, for which the case is too small.
    if ((error as Error).name === 'TooManyOccurrencesError') throw error;
    return 'refused';
  }
}
