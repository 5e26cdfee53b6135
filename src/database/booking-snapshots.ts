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

/** The public columns of the booking as they were at the commit of the event. */
export function bookingAtEvent(snapshot: BookingSnapshot): PublicBookingRow {
  return {
    ...snapshot,
    created_at: new Date(snapshot.created_at),
    expires_at: new Date(snapshot.expires_at),
    confirmed_at: dateOrNull(snapshot.confirmed_at),
    cancelled_at: dateOrNull(snapshot.cancelled_at),
    expired_at: dateOrNull(snapshot.expired_at),
  };
}

function dateOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
