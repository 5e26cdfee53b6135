import type { PublicBookingRow } from './schema.js';

/** The public columns of a booking in the data of an event row: as JSON, instants are text. */
export type BookingSnapshot = {
  [Column in keyof PublicBookingRow]: PublicBookingRow[Column] extends Date
    ? string
    : PublicBookingRow[Column] extends Date | null
      ? string | null
      : PublicBookingRow[Column];
};

/** The data of the events that mails are made of. Those of 2.2.0 have no more than the public columns. */
export interface ChangeSnapshot extends BookingSnapshot {
  sequence?: number;
  /** Who moved or cancelled the booking. */
  by?: 'person' | 'studio';
}

type SlotSnapshot = Pick<BookingSnapshot, 'date' | 'time_slot'> & { starts_at: string };

/** The data of `booking.moved`. */
export interface MoveSnapshot extends ChangeSnapshot {
  from: SlotSnapshot;
  to: SlotSnapshot;
}

/** The data of any event that a mail is made of: `from` and `to` if the booking was moved. */
export type MailEventSnapshot = ChangeSnapshot & Partial<Pick<MoveSnapshot, 'from' | 'to'>>;
