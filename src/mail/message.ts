import type { MailEventSnapshot } from '../database/booking-snapshots.js';
import type { MailKind, MailRecipient } from '../database/mail-tables.js';
import type { BookingRow } from '../database/schema.js';
import type { OpeningHoursRow, StudioRow } from '../repositories/studio.js';

/** Everything that a mail says. */
export interface MailFacts {
  kind: MailKind;
  recipient: MailRecipient;
  event: MailEvent;
  /** As it is now. */
  booking: MailedBooking;
  studio: StudioRow;
  openingHours: readonly OpeningHoursRow[];
  from: { name: string; address: string };
  /** The person's page, absolute; null if its token cannot be decrypted. */
  checkoutUrl: string | null;
  /** The page on which the person stops reminders, absolute. */
  stopRemindersUrl: string;
}

/** The change that a mail is made of: its slot, sequence and method come from here. */
export interface MailEvent {
  occurredAt: Date;
  sequence: number;
  /** The booking at the commit; `from` and `to` if it was moved. */
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
  | 'cancellation_reason'
>;

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
  /** A `text/calendar` alternative. */
  calendar: { method: 'REQUEST' | 'CANCEL'; content: string } | null;
}
