import type { NamedAddress } from '../config/validators.js';
import type { MailEventSnapshot } from '../database/rows/booking-snapshots.js';
import type { CalendarError, Unreadable } from '../database/rows/calendars.js';
import type { BookingRow, EventType } from '../database/rows/schema.js';
import type { StudioRow } from '../database/rows/studio.js';
import type { DueBookingMail } from '../repositories/due-mail.js';
import type { ClosingTime } from '../schedule/weeks.js';

export type MailFacts = BookingMailFacts | CalendarMailFacts;

export interface BookingMailFacts extends Pick<DueBookingMail, 'kind' | 'undecided'> {
  /** The reader of its words: an artist reads what the studio reads. */
  recipient: 'person' | 'studio';
  event: MailEvent;
  /** The present booking. */
  booking: MailedBooking;
  studio: StudioRow;
  openingHours: readonly ClosingTime[];
  from: NamedAddress;
  /** The checkout link; null if its token cannot be decrypted. */
  checkoutUrl: string | null;
  /** The page on which a person books a session, with the artist whom they had chosen. */
  bookUrl: string;
  /** The link of the page that stops reminders. */
  stopRemindersUrl: string;
  /** The page of the booking in the console. */
  consoleUrl: string;
  /** The page of the console on which `undecided` sessions are decided. */
  undecidedUrl: string;
  /** The code of a mail with one; null for other kinds. */
  code: MailedCode | null;
}

/** A session on a day that the studio has closed. */
export type UndecidedSession = NonNullable<DueBookingMail['undecided']>[number];

/** The facts of a mail about a watched calendar that cannot be read, or only in part. */
export interface CalendarMailFacts {
  kind: 'calendar_failure';
  event: { occurredAt: Date };
  calendar: MailedCalendar;
  studio: StudioRow;
  from: NamedAddress;
  /** The page of the calendars in the console. */
  consoleUrl: string;
}

/** The present calendar. */
export interface MailedCalendar {
  label: string;
  /** The last successful fetch; null before the first. */
  readAt: Date | null;
  problem:
    | { kind: 'failing'; since: Date; error: CalendarError; statusCode: number | null }
    | { kind: 'in part'; unreadable: Unreadable };
}

export interface MailedCode {
  digits: string;
  lapsesAt: Date;
}

/**
 * The event of a mail, or for a code the request and the present booking: time, sequence and calendar
 * method come from here.
 */
export interface MailEvent {
  /** Null for a code. */
  type: EventType | null;
  occurredAt: Date;
  sequence: number;
  /** The booking right after the change; with `from` and `to` if it was moved. */
  data: MailEventSnapshot;
}

export type MailedBooking = Pick<
  BookingRow,
  | 'id'
  | 'name'
  | 'email'
  | 'phone'
  | 'pronouns'
  | 'idea'
  | 'channel'
  | 'confirmed_via'
  | 'code_proven_at'
  | 'cancellation_reason'
  | 'closed_day_choice'
  | 'studio_word'
>;
