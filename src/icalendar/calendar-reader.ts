import type { CalendarError, Unreadable, UnreadableReason } from '../database/rows/calendars.js';
import type { BusyInterval } from '../schedule/busy-times.js';

/** Reads the busy times of a calendar elsewhere (iCalendar, RFC 5545). */
export interface CalendarReader {
  /**
   * Fetches and reads it, in bounded time and memory. Rejects only if `findOwnIds` does, or no
   * process can be started.
   */
  read(request: CalendarRequest): Promise<CalendarReading>;
  /** Ends the reads in progress; they resolve with the outcome 'aborted'. */
  close(): Promise<void>;
}

/** Reads given bytes, as `CalendarReader` reads fetched ones. */
export interface CalendarFileReader {
  readBody(
    body: Uint8Array,
    request: Omit<CalendarRequest, 'address' | 'etag'>,
  ): Promise<BodyReading>;
}

export interface CalendarRequest {
  /** A secret. */
  address: string;
  /** The entity tag of the last response, for a conditional request; null to read in any case. */
  etag: string | null;
  /** The zone of all-day events and of times without a zone (floating). */
  timezone: string;
  /**
   * The starts of the slots that events may close, ascending, in milliseconds since the epoch. Only
   * intervals that decide about one of them are returned: for each slot, the first that ends after it
   * starts, if it begins before the longest session ends.
   */
  slotStarts: readonly number[];
  /** Whether to return every interval of that time instead. */
  isWhole?: boolean;
  /**
   * Lists each event and occurrence of that time instead, with its texts: for an import, never for a
   * watched calendar. `floating`: the zone of times without one, in place of the calendar's own.
   * `hasFree`: lists events that are marked as free, too. `own`: addresses in lower case that are no
   * guest's.
   */
  listing?: { floating: string | null; hasFree: boolean; own: readonly string[] } | null;
  /**
   * Selects, among UUIDs in lower case, the ids of bookings and closures of this service: their events
   * are not busy.
   */
  findOwnIds(ids: readonly string[]): Promise<readonly string[]>;
}

export interface FailedReading {
  outcome: 'failed';
  error: CalendarError;
  statusCode: number | null;
}

type EndedReading = FailedReading | { outcome: 'aborted' };

export type BodyReading = ({ outcome: 'read' } & CalendarContents) | EndedReading;

export type CalendarReading =
  | ({
      outcome: 'read';
      etag: string | null;
      /** The address to which permanent redirects alone led, which is a secret; null without one. */
      movedTo: string | null;
    } & CalendarContents)
  /** It has not changed since the last read (304). */
  | { outcome: 'unchanged' }
  | EndedReading;

/** The contents of a calendar: only the times of its events. */
export interface CalendarContents {
  /**
   * The busy intervals, ordered and without overlaps, cut to the time from the first slot's start until
   * the last one's longest session.
   */
  readonly busy: readonly BusyInterval[];
  /** The events, if they were asked for. */
  readonly listed?: EventList;
  /** Whether it contains any event or busy time at all, also outside the window. */
  readonly hasEvents: boolean;
  readonly unreadable: Unreadable;
  /** The zones of its times by the names that it gives them: `Pacific Standard Time`, `America/Los_Angeles`. */
  readonly zones: Readonly<Record<string, string>>;
}

export interface EventList {
  readonly events: readonly ListedEvent[];
  /** The numbers of events that are not listed: free or cancelled ones, and those outside of the time. */
  readonly skipped: { readonly free: number; readonly outside: number };
}

/** An event, or an occurrence of a recurring one. Instants are milliseconds since the epoch. */
export interface ListedEvent extends BusyInterval {
  /** The line where it begins in the file, from 1. */
  readonly line: number;
  /** The zone of its start as written; null for whole days. */
  readonly zone: string | null;
  /** Whether its time zone is unknown: the start is then the earliest possible. */
  readonly isUnclear: boolean;
  /** The status as written; `DECLINED` if all guests declined. */
  readonly status: string;
  readonly summary: string;
  readonly description: string;
  /** The name of the first who is neither the organizer, a room nor `own`, and has not declined. */
  readonly attendeeName: string;
  readonly attendeeEmail: string;
  /** The `own` addresses that organize or attend it. */
  readonly ownAddresses: readonly string[];
}

/** Sentences for what is wrong with a watched calendar. None contains its address. */

const askForAddress = 'Look up its secret address in iCal format, and add the calendar again.';
const fewerEvents = 'Delete or end events that are no longer needed, or watch a smaller calendar.';

const words: Readonly<Record<Exclude<CalendarError, 'status' | 'redirect'>, string>> = {
  target_refused: `The host of its address is not on the public internet. ${askForAddress}`,
  dns_failed: 'The host of its address cannot be found. If that lasts, check the address.',
  connect_timeout: 'Its server does not respond.',
  connection_refused: 'Its server refuses the connection.',
  connection_lost: 'Its server ended the connection before its response was complete.',
  tls_failed: 'The connection to its server is not secure: its certificate is not valid.',
  timeout: 'Its server takes too long to respond.',
  bad_answer: 'The response of its server is damaged.',
  network: 'Its server cannot be reached.',
  too_large: `It is larger than 20 MB. ${fewerEvents}`,
  not_a_calendar: `Its address leads to something other than a calendar, such as a page to sign in at. ${askForAddress}`,
  unreadable: 'It is incomplete: its end is missing. If that lasts, ask who provides it.',
  too_many_events: `It has too many events. ${fewerEvents}`,
  too_slow: `Reading it takes too long. ${fewerEvents}`,
  too_much_memory: `Reading it takes too much memory. ${fewerEvents}`,
  secret_lost:
    'The secret key that its address was encrypted with is lost. Remove the calendar, and add it again.',
};

/** The problem of a calendar, and what the studio can do about it. */
export function calendarErrorWords(error: CalendarError, statusCode: number | null): string {
  if (error === 'status') return statusWords(statusCode);
  if (error === 'redirect') {
    return `Its address redirects to another one${inBrackets(statusCode)}. Add the calendar with that one.`;
  }
  return words[error];
}

function statusWords(status: number | null): string {
  const number = inBrackets(status);
  if (status === 401 || status === 403) {
    return `Its server asks for a sign-in${number}. ${askForAddress}`;
  }
  if (status === 404 || status === 410) {
    return `There is no calendar at its address any more${number}. ${askForAddress}`;
  }
  if (status === 429)
    return `Its server limits how often the calendar is read${number}. It is read again in ten minutes.`;
  if (status !== null && status >= 500) return `Its server fails${number}.`;
  return `Its server responds with an unexpected status${number}.`;
}

/** Why a line cannot be read. */
export const unreadableReasons: Readonly<Record<UnreadableReason, string>> = {
  date: 'a date or time',
  duration: 'a duration',
  rule: 'a rule of repetition',
  zone: 'the name of a time zone',
  end_before_start: 'an end before the start',
  no_start: 'an event without a start',
};

const mostNamed = 5;

/** The unreadable lines of a calendar: never their content. */
export function unreadableWords({ count, lines }: Unreadable): string {
  const named = lines
    .slice(0, mostNamed)
    .map(({ line, reason }) => `line ${line} (${unreadableReasons[reason]})`);
  const others = count > named.length ? ` and ${count - named.length} more` : '';
  return `Cannot be read: ${named.join(', ')}${others}. These events close what can be read of them.`;
}

/** The problems of a watched calendar, as sentences. */
export function calendarProblems(calendar: {
  read_at: Date | null;
  last_error: CalendarError | null;
  last_status_code: number | null;
  empty_since: Date | null;
  unreadable: Unreadable | null;
}): string[] {
  const { read_at, last_error, last_status_code, empty_since, unreadable } = calendar;
  return [
    ...(read_at === null ? ['It has never been read; it closes nothing.'] : []),
    ...(last_error === null ? [] : [calendarErrorWords(last_error, last_status_code)]),
    ...(empty_since === null
      ? []
      : ['It was read without any event; its busy times stay until the next read confirms that.']),
    ...(unreadable === null ? [] : [unreadableWords(unreadable)]),
  ];
}

function inBrackets(status: number | null): string {
  return status === null ? '' : ` (${status})`;
}
