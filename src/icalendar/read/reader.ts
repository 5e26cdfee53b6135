import type { ResolveAddresses } from '../../outbound/resolve-addresses.js';
import type { CalendarReader, CalendarReading, CalendarRequest } from '../calendar-reader.js';
import { createCalendarFetcher } from './fetch-calendar.js';
import { calendarLimits, type CalendarLimits } from './limits.js';
import { readInProcess, type ProcessReading } from './read-in-process.js';

/** Recognizes a login page without starting a process. */
const beginning = /^(\xef\xbb\xbf)?\s*BEGIN:VCALENDAR\s/i;
const beginningBytes = 1024;

/** Reads watched calendars within `limits`, with one process at a time. */
export function createCalendarReader({
  allowPrivateTargets,
  resolve,
  limits = calendarLimits,
}: {
  allowPrivateTargets: boolean;
  resolve?: ResolveAddresses;
  limits?: CalendarLimits;
}): CalendarReader {
  const closing = new AbortController();
  const { signal } = closing;
  const fetcher = createCalendarFetcher({
    allowPrivateTargets,
    limits,
    ...(resolve && { resolve }),
  });
  let lastReading: Promise<unknown> = Promise.resolve();

  const readAfterLast = (body: Uint8Array, request: CalendarRequest): Promise<ProcessReading> => {
    const reading = lastReading.then(() => readInProcess(body, request, limits, signal));
    // An error is the caller's only.
    lastReading = reading.catch(() => undefined);
    return reading;
  };

  return {
    async read(request): Promise<CalendarReading> {
      if (signal.aborted) return { outcome: 'aborted' };
      const fetched = await fetcher.fetch(request);
      if (fetched.outcome !== 'fetched') return fetched;
      const { etag, body } = fetched;
      if (!isCalendar(body)) {
        return { outcome: 'failed', error: 'not_a_calendar', statusCode: null };
      }
      const reading = await readAfterLast(body, request);
      if (reading.outcome === 'read') return { ...reading, etag };
      return reading.outcome === 'failed' ? { ...reading, statusCode: null } : reading;
    },
    async close() {
      closing.abort();
      await fetcher.close();
      await lastReading;
    },
  };
}

function isCalendar(body: Uint8Array): boolean {
  const head = Buffer.from(body.subarray(0, beginningBytes)).toString('latin1');
  return beginning.test(head);
}
