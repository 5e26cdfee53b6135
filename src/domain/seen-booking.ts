import type { BookingRow } from '../database/schema.js';

/** A booking as the caller saw it. What is left out may have changed. */
export interface SeenBooking {
  sequence?: number | null;
  /** Whether it was recorded as a no-show, which does not change the sequence. */
  isMissed?: boolean;
}

/** A booking of a list, as the caller saw it. */
export type ListedBooking = Pick<BookingRow, 'id' | 'sequence'>;

/** Whether all bookings are in the list, none of them changed since. */
export function areListed(
  bookings: readonly ListedBooking[],
  listed: readonly ListedBooking[],
): boolean {
  return bookings.every(({ id, sequence }) =>
    listed.some((seen) => seen.id === id && seen.sequence === sequence),
  );
}

/** Whether a booking is no longer as the caller saw it. */
export function hasChangedSince(
  booking: Pick<BookingRow, 'sequence' | 'no_show_at'>,
  { sequence = null, isMissed }: SeenBooking,
): boolean {
  if (sequence !== null && sequence !== booking.sequence) return true;
  return isMissed !== undefined && isMissed !== (booking.no_show_at !== null);
}
