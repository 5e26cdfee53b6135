import type { PublicBookingRow } from './schema.js';

type Snapshot = {
  [Column in keyof PublicBookingRow]: PublicBookingRow[Column] extends Date
    ? string
    : PublicBookingRow[Column] extends Date | null
      ? string | null
      : PublicBookingRow[Column];
};

/**
 * The public columns of a booking in the data of an event row: as JSON, instants are text. Events of
 * versions before 2.9.0 have no end.
 */
export type BookingSnapshot = Omit<Snapshot, 'ends_at_text'> &
  Partial<Pick<Snapshot, 'ends_at_text'>>;

/** With what the mails of a change need; absent from the events of version 2.2.0. */
export interface ChangeSnapshot extends BookingSnapshot {
  sequence?: number;
  /** Who moved or cancelled the booking. */
  by?: 'person' | 'studio';
  /**
   * From the code that the change needed being sent to it being typed; absent where none was needed, or
   * its sending was not recorded.
   */
  code_typed_after_seconds?: number;
}

type SlotSnapshot = Pick<BookingSnapshot, 'date' | 'time_slot'> & { starts_at: string };

/** The data of `booking.moved`. */
export interface MoveSnapshot extends ChangeSnapshot {
  from: SlotSnapshot;
  to: SlotSnapshot;
}

/** The data of any event that mails are made of; `from` and `to` only of `booking.moved`. */
export type MailEventSnapshot = ChangeSnapshot & Partial<Pick<MoveSnapshot, 'from' | 'to'>>;
