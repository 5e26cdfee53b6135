import type { Updateable } from 'kysely';
import type { TimeSlot, WebhookEventType } from '../../../generated/schemas.js';
import type { ConfirmationProof } from '../../config/config.js';
import type { WatchedCalendarRow } from './calendars.js';
import type { BookingMailKind, MailRow } from './mails.js';
import type { ApiKeyRow, BookingRow, Database, RecordedBookingRow } from './schema.js';
import type { StudioRow } from './studio.js';
import type { WebhookDeliveryStatus, WebhookSubscriptionRow } from './webhooks.js';

/** Results and arguments of queries that are no row of one table. */

/** The columns of a booking's time. */
export interface BookedSlot {
  date: string;
  timeSlot: TimeSlot;
  startsAt: Date;
  /** RFC 3339, with the studio's offset. */
  startsAtText: string;
  /** A busy interval of a watched calendar closes the slots whose sessions it overlaps. */
  endsAt: Date;
  endsAtText: string;
  /** The artists whose session ends at another time. `endsAt` is the latest end of who works then. */
  ends: readonly { artistId: number; endsAt: Date; endsAtText: string }[];
  timezone: string;
  label: string;
}

export interface ReminderChoice extends Pick<BookingRow, 'id' | 'current_token_sealed'> {
  /** Null if the personal data is erased, or there never was an address. */
  email: string | null;
  stopped: boolean;
}

export type ReplacedHold = Pick<BookingRow, 'id' | 'sequence' | 'artist_id'>;

/** The mode of the installation, whatever the settings of one process are. */
export interface InstallationMode {
  mail: boolean;
  /** `code` only with mail on. */
  confirmation: ConfirmationProof;
}

/** How holds come: assistants over either protocol are one. */
export type FigureChannel = 'assistant' | 'page' | 'studio';

/** What is counted of the sessions of a month; the channels are those of its sessions. */
export type MonthFigure =
  | 'sessions'
  | 'hours'
  | 'no_shows'
  | 'cancelled'
  | 'moved'
  | FigureChannel
  | 'not_recorded';

/** A mail with the columns that the studio sees. */
export type MailOverview = BookingMailOverview | CalendarMailOverview;

/** A mail with the person's address. */
export interface BookingMailOverview extends MailRow {
  kind: BookingMailKind;
  booking_id: string;
  booking_label: BookingRow['label'];
  booking_date: BookingRow['date'];
  booking_time_slot: BookingRow['time_slot'];
  booking_ends_at_text: BookingRow['ends_at_text'];
  booking_artist_name: BookingRow['artist_name'];
  booking_name: BookingRow['name'];
  /** The present address of the booking. */
  booking_email: BookingRow['email'];
  /** Whether the mail is from before the latest correction of the e-mail address. */
  has_former_email: boolean;
  /** Whether the booking has changed since, and its person or artist was notified. */
  is_superseded: boolean;
  /** The present name of the artist to whom the mail goes; null for any other. */
  artist_name: string | null;
  artist_email: string | null;
}

export interface CalendarMailOverview extends MailRow {
  kind: 'calendar_failure';
  recipient: 'studio';
  calendar_id: string;
  calendar_label: WatchedCalendarRow['label'];
  /** Whether the calendar was read since. */
  is_superseded: boolean;
}

export interface NewClosure {
  fromDate: string;
  toDate: string;
  /** null: the whole day. */
  timeSlot: TimeSlot | null;
  reason: string;
  /** Whose sessions; null: everybody's. */
  artistId?: number | null;
  /** A block: only these hours of its one date, whatever sessions they overlap. */
  hours?: ClosedHours | null;
}

/** Hours of a date on the studio's clock, `HH:MM`; the end is up to 24:00. */
export interface ClosedHours {
  from: string;
  to: string;
}

/** Sessions of one date, in the order of the day. */
export interface DaySessions {
  date: string;
  sessions: readonly TimeSlot[];
}

/** The opening hours and sessions of a weekday. */
export interface DayRow {
  /** ISO 8601: 1 is Monday, 7 is Sunday. */
  weekday: number;
  /** `HH:MM`; both null when closed. */
  opens: string | null;
  closes: string | null;
  sessions: TimeSlot[];
}

/** The columns that say whose client a booking is of. */
export type ClientOfBooking = Pick<BookingRow, 'id' | 'name' | 'email' | 'phone'>;

/** A client in a list, with the next booking, or else the latest. */
export interface ListedClientRow extends BookingRow {
  /** Confirmed ones. */
  sessions: number;
  no_shows: number;
  is_to_come: boolean;
}

/** All bookings of a mailbox, or of the client of a booking, or one booking. */
export type BookingSelector = { email: string } | { client: ClientOfBooking } | { id: string };

/** Dates, inclusive. */
export interface WeekDates {
  from: string;
  to: string;
}

/** A day that counts from one date to another. */
export interface DatedDayRow extends DayRow {
  from_date: string;
  to_date: string;
}

export interface RecentDelivery {
  event_id: string;
  type: WebhookEventType;
  status: WebhookDeliveryStatus;
  attempts: number;
  last_status_code: number | null;
  last_attempt_at: Date | null;
  next_attempt_at: Date | null;
}

export interface SubscriptionOverview extends WebhookSubscriptionRow {
  pending: number;
  delivered: number;
  failed: number;
}

/** A row as the copy has it. */
export type CopiedRow = Record<string, unknown>;

/** All that is kept of a person, for that person. Its members are those of the JSON. */
export interface PersonalCopy {
  copied_at: Date;
  of: { email: string } | { booking_id: string };
  /** Who keeps it. */
  studio: Pick<StudioRow, 'name' | 'email' | 'phone' | 'website' | 'timezone'>;
  /** Sentences by what they are about. */
  about: Record<string, string[]>;
  /** Oldest first; each has the rows of the other tables as lists, by table. */
  bookings: CopiedRow[];
  /** Unproven data, since strangers may have written it: bookings as above, and keys. */
  not_checked: { bookings: CopiedRow[]; api_keys: CopiedRow[] };
  /** The labels of the columns, by table. */
  labels: Record<string, Record<string, string | null>>;
}

/** What the answer to a hold says besides the booking: its event keeps it for replays. */
export interface Handover {
  /** The studio's. */
  city: string;
  /** What confirming requires. */
  proof: ConfirmationProof;
}

/** The data for replaying a hold request. */
export interface ReplayableHold {
  /** The booking as the hold was placed, whatever has become of it. */
  booking: RecordedBookingRow;
  /** Null where a version before 2.9.2 placed it. */
  handover: Handover | null;
  requestHash: Buffer | null;
  checkoutTokenSealed: Buffer;
}

export type NewApiKeyRow = Pick<ApiKeyRow, 'id' | 'label' | 'created_at'>;

export type StudioChanges = Omit<Updateable<Database['studio']>, 'id' | 'address_from'>;

/** The changes when the link alone confirms. */
export interface LinkEffects {
  /** Holds that anyone with their link can then confirm. */
  holds: number;
  /** Codes for holds that their people could still type. */
  codes: number;
}

export interface FeedSessionRow {
  /** The booking's id. */
  id: string;
  date: string;
  sequence: number;
  /** RFC 3339. */
  startsAtText: string;
  /** Milliseconds since the epoch. */
  endsAt: number;
  /** The studio's time zone when the booking was made. */
  timezone: string;
  /** When it was confirmed, or last changed. */
  changedAt: number;
  /** Null once the personal data is erased. */
  name: string | null;
  /** Ten digits. Null if unknown, and without details. */
  phone: string | null;
  /** Null where the studio has one artist, and in the feed of an artist. */
  artistName: string | null;
}

export interface FeedClosureRow {
  id: string;
  fromDate: string;
  toDate: string;
  /** Null: the whole day, or a block. */
  timeSlot: TimeSlot | null;
  /** The instants of a block; null: it is none. */
  startsAt: number | null;
  endsAt: number | null;
  /** Null where it is everybody's, and in the feed of an artist. */
  artistName: string | null;
  /** Of whose sessions it is; null: of everybody's. */
  artistId: number | null;
  /** Null without details. */
  reason: string | null;
  createdAt: number;
}

/** What a feed shows. Instants are milliseconds since the epoch. */
export interface FeedRows {
  hasDetails: boolean;
  sessions: FeedSessionRow[];
  closures: FeedClosureRow[];
}
