import type { Transaction } from 'kysely';
import { isLive } from '../calendar/booking-status.js';
import type { DatabaseServices } from '../database/services.js';
import type { BookingRow, Database } from '../database/schema.js';
import { recordAudit } from '../repositories/audit.js';
import { lockBooking } from '../repositories/booking-search.js';
import { cancelBooking, type CancelOptions } from '../repositories/booking-transitions.js';

export type Cancellation =
  | { outcome: 'cancelled'; booking: BookingRow }
  /** It no longer has the sequence that the caller saw. */
  | { outcome: 'changed'; booking: BookingRow }
  /** Cancelled, expired or lapsed: `booking` says which. */
  | { outcome: 'not_live'; booking: BookingRow }
  | { outcome: 'not_found' };

/**
 * Cancels a hold or a confirmed booking and audits it; with `sequence`, only if it has not changed
 * since. The slot is free with the commit. The reason is kept in the booking only.
 */
export async function cancelByStudio(
  context: Pick<DatabaseServices, 'database'>,
  actor: string,
  id: string,
  { reason = null, sequence = null }: CancelOptions = {},
): Promise<Cancellation> {
  return context.database.transaction().execute(async (transaction) => {
    const booking = await lockBooking(transaction, id);
    if (booking === null) return { outcome: 'not_found' };
    if (sequence !== null && isLive(booking.status) && booking.sequence !== sequence) {
      return { outcome: 'changed', booking };
    }
    const cancelled = await cancelLocked(transaction, booking, reason);
    if (cancelled === null) return { outcome: 'not_live', booking };
    await recordAudit(transaction, actor, 'bookings cancel', {
      booking_id: id,
      was: booking.status,
    });
    return { outcome: 'cancelled', booking: cancelled };
  });
}

/** Cancels those of the bookings that are still live, and returns them cancelled. */
export async function cancelAll(
  transaction: Transaction<Database>,
  bookings: readonly BookingRow[],
): Promise<BookingRow[]> {
  const cancelled: BookingRow[] = [];
  for (const { id } of bookings) {
    const booking = await lockBooking(transaction, id);
    const gone = booking === null ? null : await cancelLocked(transaction, booking);
    if (gone !== null) cancelled.push(gone);
  }
  return cancelled;
}

async function cancelLocked(
  transaction: Transaction<Database>,
  { id, status }: BookingRow,
  reason: string | null = null,
): Promise<BookingRow | null> {
  return isLive(status) ? cancelBooking(transaction, id, status, 'studio', { reason }) : null;
}
