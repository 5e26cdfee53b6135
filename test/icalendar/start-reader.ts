import type { Test } from 'tap';
import type { CalendarRequest } from '../../src/icalendar/calendar-reader.js';
import { calendarLimits, type CalendarLimits } from '../../src/icalendar/read/limits.js';
import { createCalendarReader } from '../../src/icalendar/read/reader.js';
import { answer, startReceiver, type Behaviour } from '../support/receiver.js';

/** Three slots, on 1 December 2026 in Los Angeles. */
export const slotStarts = [17, 21, 25].map((hour) => Date.UTC(2026, 11, 1, hour));

export function utc(hour: number, minute = 0): number {
  return Date.UTC(2026, 11, 1, hour, minute);
}

/** A calendar of components. */
export function calendar(...lines: string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

export function event(...lines: string[]): string {
  return ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');
}

/** An hour in the first slot. */
export const dentist = event('UID:1', 'DTSTART:20261201T180000Z', 'DTEND:20261201T190000Z');

export const dentistBusy = [{ startsAt: utc(18), endsAt: utc(19) }];

/** Reading may wait for a busy machine. */
export const patientLimits: CalendarLimits = { ...calendarLimits, readSeconds: 300 };

/** Starts a receiver with a calendar and a reader that may reach it, until the test ends. */
export async function startReader(
  t: Test,
  {
    behaviour = answer(200, {}, calendar(dentist)),
    ...options
  }: Partial<Parameters<typeof createCalendarReader>[0]> & { behaviour?: Behaviour } = {},
) {
  const receiver = await startReceiver(behaviour);
  const defaults = { allowPrivateTargets: true, limits: patientLimits };
  const reader = createCalendarReader({ ...defaults, ...options });
  t.teardown(() => Promise.all([reader.close(), receiver.close()]));
  const read = (request: Partial<CalendarRequest> = {}) =>
    reader.read({
      address: `${receiver.origin}/calendar.ics`,
      etag: null,
      timezone: 'America/Los_Angeles',
      slotStarts,
      findOwnIds: () => Promise.resolve([]),
      ...request,
    });
  return { receiver, reader, read };
}

export function failed(error: string, statusCode: number | null = null) {
  return { outcome: 'failed', error, statusCode };
}
