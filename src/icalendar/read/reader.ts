import type { ResolveAddresses } from '../../outbound/resolve-addresses.js';
import type { BodyReading, CalendarFileReader, CalendarReader } from '../calendar-reader.js';
import { createCalendarFetcher, failed, inflated } from './fetch-calendar.js';
import { calendarLimits, type CalendarLimits } from './limits.js';
import { type BodyRequest, readInProcess, type ProcessReading } from './read-in-process.js';

/** Recognizes a login page without starting a process. */
const beginning = /^(\xef\xbb\xbf)?\s*BEGIN\s*:\s*VCALENDAR\s/i;
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
}): CalendarReader & CalendarFileReader {
  const closing = new AbortController();
  const { signal } = closing;
  const fetcher = createCalendarFetcher({
    allowPrivateTargets,
    limits,
    ...(resolve && { resolve }),
  });
  let lastReading: Promise<unknown> = Promise.resolve();

  const readAfterLast = (body: Uint8Array, request: BodyRequest): Promise<ProcessReading> => {
    const reading = lastReading.then(() => readInProcess(body, request, limits, signal));
    // An error is the caller's only.
    lastReading = reading.catch(() => undefined);
    return reading;
  };

  const readBody = async (body: Uint8Array, request: BodyRequest): Promise<BodyReading> => {
    if (signal.aborted) return { outcome: 'aborted' };
    const plain = await inflated(body, limits.bodyBytes);
    if ('outcome' in plain) return plain;
    if (plain.length > limits.bodyBytes) return failed('too_large');
    if (!isCalendar(plain)) return failed('not_a_calendar');
    const reading = await readAfterLast(plain, request);
    return reading.outcome === 'failed' ? failed(reading.error) : reading;
  };

  return {
    async read(request) {
      if (signal.aborted) return { outcome: 'aborted' };
      const fetched = await fetcher.fetch(request);
      if (fetched.outcome !== 'fetched') return fetched;
      const { etag, body, movedTo } = fetched;
      const reading = await readBody(body, request);
      return reading.outcome === 'read' ? { ...reading, etag, movedTo } : reading;
    },
    readBody,
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
