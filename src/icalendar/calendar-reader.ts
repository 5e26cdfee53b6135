import type { BusyInterval } from '../schedule/busy-times.js';

/** Reads a calendar elsewhere (iCalendar, RFC 5545): when it is busy, and nothing else. */
export interface CalendarReader {
  /**
   * Fetches and reads it, in bounded time and memory. Rejects only if `findOwnIds` does, or no
   * process can be started.
   */
  read(request: CalendarRequest): Promise<CalendarReading>;
  /** Ends the reads in progress; they resolve with the outcome 'aborted'. */
  close(): Promise<void>;
}

export interface CalendarRequest {
  /** A secret. */
  address: string;
  /** Of the last response, for a conditional request; null to read in any case. */
  etag: string | null;
  /** Of all-day events and of times without a zone (floating). */
  timezone: string;
  /**
   * The starts of the slots that events may close, ascending, in milliseconds since the epoch. Only
   * the intervals that decide about one of them are returned: of a slot, the first that ends after it
   * starts, if it begins before the longest session ends.
   */
  slotStarts: readonly number[];
  /**
   * Selects, among UUIDs in lower case, the ids of bookings and closures of this service: their events
   * are not busy.
   */
  findOwnIds(ids: readonly string[]): Promise<readonly string[]>;
}

export type CalendarReading =
  /**
   * `busy` is ordered and does not overlap. It is cut to the time from the first slot's start until the
   * last one's longest session.
   */
  | { outcome: 'read'; etag: string | null; busy: readonly BusyInterval[] }
  /** It is the same as at the last read (304). */
  | { outcome: 'unchanged' }
  | { outcome: 'failed'; error: CalendarError; statusCode: number | null }
  | { outcome: 'aborted' };

/** Why a calendar could not be read: for logs and rows, free of addresses and contents. */
export type CalendarError =
  /** No response; as a webhook's attempt. */
  | 'target_refused'
  | 'dns_failed'
  | 'connect_timeout'
  | 'connection_refused'
  | 'connection_lost'
  | 'tls_failed'
  | 'timeout'
  | 'bad_answer'
  | 'network'
  /** A response with another status than 200 and 304. */
  | 'redirect'
  | 'status'
  | 'too_large'
  /** Such as the HTML of a login page. */
  | 'not_a_calendar'
  /** A calendar with a broken line, date or rule. */
  | 'unreadable'
  | 'too_many_events'
  | 'too_slow'
  | 'too_much_memory'
  /** The address was encrypted with a secret key that is lost. */
  | 'secret_lost';
