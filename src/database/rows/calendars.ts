import type { ColumnType, Generated, Selectable } from 'kysely';

export interface CalendarTables {
  /** Secret addresses at which calendar programs read the bookings. */
  calendar_feeds: {
    id: Generated<string>;
    token_hash: Buffer;
    label: string;
    /** Whether it shows name and phone; initials otherwise. */
    has_details: boolean;
    /** Whose sessions and closures it shows; null: all. */
    artist_id: ColumnType<number | null, number | null | undefined>;
    created_at: Date;
  };

  /** Calendars elsewhere whose busy events close slots. */
  watched_calendars: {
    id: Generated<string>;
    label: string;
    /** The host of the address, for lists: the address itself is a secret. */
    host: string;
    address_sealed: Buffer;
    /** A keyed hash, by which an address that is watched already is found. */
    address_hash: Buffer;
    /** Whose slots it closes; null: everybody's. */
    artist_id: ColumnType<number | null, number | null | undefined>;
    created_at: Date;
    /** The entity tag of the last response (RFC 9110, 8.8.3); null without one. */
    etag: string | null;
    /** The time zone and the dates of the last read; null before the first. */
    read_window: string | null;
    /** The last successful fetch; null before the first. */
    read_at: Date | null;
    /** The first failure since the last successful fetch; null after one. */
    failing_since: Date | null;
    /** Why the last fetch failed; null after a successful one. */
    last_error: CalendarError | null;
    last_status_code: number | null;
    /** When the studio was notified of the failure; null if it was not. */
    failure_told_at: Date | null;
    /** The unreadable parts at the last read; null if there were none. */
    unreadable: Unreadable | null;
    /** When the studio was notified of that; null if it was not. */
    unreadable_told_at: Date | null;
    /** Whether it had any event at the last read that changed its intervals. */
    has_events: Generated<boolean>;
    /** The first read without any event of a calendar that had some: it keeps its intervals until the next. */
    empty_since: Date | null;
    /** The address before a permanent redirect replaced it; null if none did. */
    former_address_sealed: Buffer | null;
    former_address_hash: Buffer | null;
    next_fetch_at: Date;
    /** Until this instant, no other process fetches it. */
    claimed_until: Date | null;
  };

  /** When watched calendars are busy. Nothing else of their events is stored. */
  busy_intervals: {
    calendar_id: string;
    starts_at: Date;
    /** Exclusive. */
    ends_at: Date;
  };

  /** Confirmed sessions that a busy interval was found to overlap. */
  booking_conflicts: {
    booking_id: string;
    /** The start of the session: one that is moved may be in conflict again. */
    starts_at: Date;
    found_at: Date;
  };
}

/** The parts of a calendar that could not be read. They never quote it. */
export interface Unreadable {
  /** The number of places. */
  readonly count: number;
  /** The first places. */
  readonly lines: readonly UnreadableLine[];
}

export interface UnreadableLine {
  /** From 1, as a text editor counts the lines of the file. */
  readonly line: number;
  readonly reason: UnreadableReason;
}

export type UnreadableReason =
  /** A date or a time that cannot be read or does not exist, such as 31 November. */
  | 'date'
  | 'duration'
  | 'rule'
  /** A name of a time zone that means none. */
  | 'zone'
  /** The event ends before it starts. */
  | 'end_before_start'
  /** An event without a start. */
  | 'no_start';

/** Why a calendar could not be read: for logs and rows, free of addresses and contents. */
export type CalendarError =
  /** There was no response; as for a webhook's attempt. */
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
  /** The HTML of a login page, for example. */
  | 'not_a_calendar'
  /** It is cut: its end is missing. */
  | 'unreadable'
  | 'too_many_events'
  | 'too_slow'
  | 'too_much_memory'
  /** The address was encrypted with a secret key that is lost. */
  | 'secret_lost';

export type CalendarFeedRow = Selectable<CalendarTables['calendar_feeds']>;
export type WatchedCalendarRow = Selectable<CalendarTables['watched_calendars']>;
