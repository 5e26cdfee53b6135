import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely';
import type { TimeSlot, WebhookEventType } from '../../../generated/schemas.js';
import type { CalendarTables } from './calendars.js';
import type { ConsoleTables } from './console.js';
import type { MailTables } from './mails.js';
import type { StudioTables } from './studio.js';
import type { WebhookTables } from './webhooks.js';

/** The tables as the migrations create them. Instants are `Date`, dates are text. */
export interface Database
  extends CalendarTables, ConsoleTables, MailTables, StudioTables, WebhookTables {
  bookings: BookingsTable;
  events: EventsTable;
  audit_log: AuditLogTable;
  api_keys: ApiKeysTable;
}

export type BookingStatus = 'pending' | 'confirmed' | 'expired' | 'cancelled';

/** Who made a booking: the person's agent (`rest`, `mcp`), the person (`page`) or the studio. */
export type Channel = 'rest' | 'mcp' | 'page' | 'studio';

/** How a booking was confirmed: with its link, with a code, or by the studio. */
export type ConfirmedVia = 'link' | 'code' | 'studio';

interface BookingsTable {
  id: Generated<string>;
  status: ColumnType<BookingStatus, BookingStatus | undefined, BookingStatus>;
  date: string;
  time_slot: TimeSlot;
  starts_at: Date;
  /** RFC 3339, with the studio's offset at the time of the hold. */
  starts_at_text: string;
  ends_at: Date;
  /** See `starts_at_text`. */
  ends_at_text: string;
  /** Whose session it is: the first artist's, unless given. */
  artist_id: Generated<number>;
  /** The name that was promised; null where it was booked with a studio of one artist. */
  artist_name: ColumnType<string | null, string | null | undefined>;
  /** Whether the person has chosen the artist, on `/book` or since: it counts towards the cap of an artist. */
  is_artist_chosen: Generated<boolean>;
  /** Whether it may overlap another session of the artist: the studio has placed it so. */
  may_overlap: Generated<boolean>;
  timezone: string;
  /** The version of the zone data by which the instant was computed again; null if it was not. */
  zone_data_version: string | null;
  /** The slot as text, such as `Tuesday, December 1, 2026 at 9:00 AM`, and `with Mara` if it has a name. */
  label: string;
  created_at: Date;
  expires_at: Date;
  confirmed_at: Date | null;
  cancelled_at: Date | null;
  /** Equal to `expires_at` where the hold has expired; else null. */
  expired_at: Date | null;
  /** Null where a version before 2.2.0 inserted the booking. */
  channel: Channel | null;
  /** The platform from whose addresses the booking was placed; null for any other address. */
  platform: string | null;
  /** Null if not confirmed, or confirmed by a version before 2.2.0. */
  confirmed_via: ConfirmedVia | null;
  /** Moves by the person while the booking was pending. */
  moves_while_pending: Generated<number>;
  /** Moves by the person since it was confirmed. */
  moves_once_confirmed: Generated<number>;
  /** The latest move, by anyone. */
  moved_at: Date | null;
  /** When the studio recorded that the person did not come. */
  no_show_at: Date | null;
  /** The studio's words, in a cancelled booking. */
  cancellation_reason: string | null;
  /** The decision on a closed day; null: none. `asked`: the person may move until the session begins. */
  closed_day_choice: 'kept' | 'asked' | null;
  /** The studio's words with the latest move or question. */
  studio_word: string | null;
  /** Read by the studio alone. Deleted with the personal data. */
  studio_note: string | null;
  /** The studio's note about the client, as the other bookings of then have it. Read by the studio alone. */
  client_note: ColumnType<string | null, string | null | undefined>;
  /** When the person asked for no more reminders; it applies to all bookings of the mailbox. */
  reminders_stopped_at: Date | null;
  /** When the person last asked for a code. */
  code_asked_at: Date | null;
  /** When a person last made a change with a code. */
  code_proven_at: Date | null;
  /** Incremented with each change; SEQUENCE of the calendar file (RFC 5545). */
  sequence: Generated<number>;
  /** How many of the latest changes needed no new mail. */
  quiet_changes: Generated<number>;
  /** When its sequence last grew; null if it has not, or did so before version 2.9. */
  changed_at: Date | null;
  name: string | null;
  email: string | null;
  phone: string | null;
  pronouns: string | null;
  idea: string | null;
  /** The language in which the person last posted a page (BCP 47). Deleted with the personal data. */
  language: ColumnType<string | null, string | null | undefined>;
  /**
   * A keyed hash of the caller's network (IPv4 address, IPv6 /48), or of its person at a platform; null
   * for a platform that does not say who its person is. Deleted with the personal data.
   */
  caller_network_hash: Buffer | null;
  api_key_id: string | null;
  /** The hash of the present link. */
  checkout_token_hash: Buffer;
  /** The token of the first link: for replays only, since a correction may have made another one. */
  checkout_token_sealed: Buffer;
  /** The token of the link that the latest correction of the e-mail address made; null before the first. */
  current_token_sealed: Buffer | null;
  idempotency_scope: Buffer | null;
  idempotency_key: string | null;
  request_hash: Buffer | null;
  /** SHA-256 of the nonce of the form on `/book`; null if none was sent. Deleted with the personal data. */
  form_nonce_hash: Buffer | null;
}

interface EventsTable {
  id: Generated<string>;
  position: ColumnType<string, never, never>;
  type: EventType;
  booking_id: string | null;
  occurred_at: Date;
  data: JSONColumnType<object>;
  dispatched_at: Date | null;
  /** The body of every attempt of every webhook delivery; null without a subscriber. */
  webhook_body: string | null;
  /** The span that recorded it, as a `traceparent`; null unless its request was traced. */
  trace_context: string | null;
}

interface ApiKeysTable {
  id: Generated<string>;
  key_hash: Buffer;
  email: string;
  label: string | null;
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
  /** A keyed hash of the network (IPv4 address, IPv6 /48) that minted it; null before version 2.9. */
  network_hash: Buffer | null;
}

/** Changes of a booking that keeps its slot. */
export type ChangeInSlot =
  /** The details of its person. */
  | 'booking.corrected'
  /** The address of the studio. */
  | 'booking.readdressed'
  /** Its instant changed with newer data of its time zone. */
  | 'booking.retimed'
  /** The person is asked to choose another time, since the studio has closed the day. */
  | 'booking.asked'
  /** The person is asked no longer. */
  | 'booking.kept';

/** Webhooks receive the public types; the others are for the board, the mails and the audit log. */
export type EventType =
  | WebhookEventType
  | 'booking.moved'
  | ChangeInSlot
  | 'booking.cancelled'
  /** A busy event of a watched calendar overlaps the confirmed session. */
  | 'booking.conflict'
  | 'calendar.changed'
  /** A watched calendar could not be read for two hours. */
  | 'calendar.failing';

interface AuditLogTable {
  id: Generated<string>;
  position: ColumnType<string, never, never>;
  occurred_at: Date;
  /** The actor: `user@machine` at the terminal, a session of the console, or the name of a job. */
  actor: string;
  action: AuditAction;
  /** The objects of the action: ids, dates, names of settings. Never a customer's personal data. */
  details: JSONColumnType<Record<string, unknown>>;
}

/** The actions of the studio, named as its commands. */
export type AuditAction =
  | 'info set'
  | 'hours set'
  | 'hours remove'
  | 'artists add'
  | 'artists set'
  | 'artists hours'
  | 'closures add'
  | 'closures remove'
  | 'openings add'
  | 'openings remove'
  | 'bookings add'
  | 'bookings move'
  | 'bookings correct'
  | 'bookings note'
  | 'bookings keep'
  | 'bookings ask'
  | 'bookings cancel'
  | 'bookings no-show'
  | 'bookings copy'
  | 'bookings forget'
  | 'clients note'
  | 'keys revoke'
  | 'platforms add'
  | 'platforms set'
  | 'platforms remove'
  | 'webhooks disable'
  | 'webhooks enable'
  | 'webhooks redeliver'
  | 'mail resend'
  | 'mail dismiss'
  | 'mail off'
  | 'confirmation link'
  | 'console link'
  | 'console sign-in'
  | 'console sign-in refused'
  | 'console sessions end'
  | 'console passkeys add'
  | 'console passkeys remove'
  | 'calendar feed add'
  | 'calendar feed rotate'
  | 'calendar feed remove'
  | 'calendar watch add'
  | 'calendar watch move'
  | 'calendar watch remove'
  | 'personal data erase'
  | 'retention resume'
  | 'left-out dismiss'
  | 'backup'
  | 'restore'
  | 'export'
  | 'import'
  // Of 2.9; a restore from the folder now.
  | 'database move';

export type BookingRow = Selectable<BookingsTable>;

/** The columns of a booking that anyone may see. */
export const publicBookingColumns = [
  'id',
  'status',
  'date',
  'time_slot',
  'starts_at_text',
  'ends_at_text',
  'artist_id',
  'artist_name',
  'timezone',
  'label',
  'created_at',
  'expires_at',
  'confirmed_at',
  'cancelled_at',
  'expired_at',
] as const satisfies (keyof BookingRow)[];

/** The columns of a booking that the caller of `POST /holds` receives. */
export const heldBookingColumns = [
  ...publicBookingColumns,
  'starts_at',
  'ends_at',
  'sequence',
] as const;

export type HeldBookingRow = Pick<BookingRow, (typeof heldBookingColumns)[number]>;

export type PublicBookingRow = Pick<BookingRow, (typeof publicBookingColumns)[number]>;

/** A booking as an event recorded it: versions before 2.9.0 recorded no end. */
export type RecordedBookingRow = Omit<PublicBookingRow, 'ends_at_text'> & {
  ends_at_text: string | null;
};
export type EventRow = Selectable<EventsTable>;
export type ApiKeyRow = Selectable<ApiKeysTable>;
export type ClosureRow = Selectable<Database['closures']>;
export type AuditRow = Selectable<AuditLogTable>;
