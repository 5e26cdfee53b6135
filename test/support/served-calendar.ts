import type { BusyInterval } from '../../src/schedule/busy-times.js';
import { answer, type Behaviour } from './receiver.js';

/** The response of a server whose calendar is busy at these times. */
export function servesCalendar(...events: BusyInterval[]): Behaviour {
  const text = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//test//EN',
    ...events.flatMap(({ startsAt, endsAt }, index) => [
      'BEGIN:VEVENT',
      `UID:event-${index}@elsewhere.example`,
      `DTSTAMP:${utc(startsAt)}`,
      `DTSTART:${utc(startsAt)}`,
      `DTEND:${utc(endsAt)}`,
      'SUMMARY:What the event says',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
  return answer(200, { 'content-type': 'text/calendar' }, text);
}

/** `20271231T170000Z` (RFC 5545, 3.3.5). */
function utc(atMs: number): string {
  return new Date(atMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
