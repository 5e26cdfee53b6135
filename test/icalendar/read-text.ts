import { type EventText, readCalendarText } from '../../src/icalendar/read/calendar-text.js';
import { collectNotes, type ReadingNotes } from '../../src/icalendar/read/notes.js';

/** The events of a calendar, and what reading has to say of it, for as long as its events are read. */
export function readText(
  ics: string | Buffer,
  timezone: string,
): { events: EventText[]; notes: ReadingNotes } {
  const notes = collectNotes();
  return { events: readCalendarText(Buffer.from(ics as string), { timezone, notes }), notes };
}
