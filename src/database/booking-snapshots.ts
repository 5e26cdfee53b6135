import type { PublicBookingRow } from './schema.js';

/** The public columns of a booking in the data of an event row: as JSON, instants are text. */
export type BookingSnapshot = {
  [Column in keyof PublicBookingRow]: PublicBookingRow[Column] extends Date
    ? string
    : PublicBookingRow[Column] extends Date | null
      ? string | null
      : PublicBookingRow[Column];
};

type SlotSnapshot = Pick<BookingSnapshot, 'date' | 'time_slot'> & { starts_at: string };

/** The data of `booking.moved`. */
export interface MoveSnapshot extends BookingSnapshot {
  from: SlotSnapshot;
  to: SlotSnapshot;
}
