import type { Transaction } from 'kysely';
import type { BookingRow, Database } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudit } from '../../repositories/audit.js';
import { lockBooking } from '../../repositories/booking-search.js';
import { cancelBooking, type CancelOptions } from '../../repositories/booking-transitions.js';
import { isLive } from '../../schedule/slots.js';
import {
  hasChangedSince,
  type OfArtist,
  type RefusedChange,
  type SeenBooking,
} from './booking-record.js';

/** The longest reason or word, in characters. */
export const maxCancellationReasonLength = 500;

/** The studio's words when it cancels; kept in the booking only. */
export type CancellationTexts = Pick<CancelOptions, 'reason' | 'word'>;

export type Cancellation = { outcome: 'cancelled'; booking: BookingRow } | RefusedChange;

/**
 * Cancels a hold or a confirmed booking and audits it, if it is still as the caller saw it. The slot is
 * free with the commit.
 */
export async function cancelByStudio(
  context: Pick<DatabaseServices, 'database'>,
  actor: string,
  id: string,
  {
    reason = null,
    word = null,
    artistId,
    ...seen
  }: SeenBooking & CancellationTexts & OfArtist = {},
): Promise<Cancellation> {
  return context.database.transaction().execute(async (transaction) => {
    const booking = await lockBooking(transaction, id, artistId);
    if (booking === null) return { outcome: 'not_found' };
    if (isLive(booking.status) && hasChangedSince(booking, seen)) {
      return { outcome: 'changed', booking };
    }
    const cancelled = await cancelLocked(transaction, actor, booking, { reason, word });
    if (cancelled === null) return { outcome: 'not_live', booking };
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
    const gone = booking === null ? null : await cancelLive(transaction, booking, {});
    if (gone !== null) cancelled.push(gone);
  }
  return cancelled;
}

/** Cancels a booking that the caller has locked, and audits it. Null if it is not live. */
export async function cancelLocked(
  transaction: Transaction<Database>,
  actor: string,
  booking: BookingRow,
  texts: CancellationTexts,
): Promise<BookingRow | null> {
  const cancelled = await cancelLive(transaction, booking, texts);
  if (cancelled === null) return null;
  const details = { booking_id: booking.id, was: booking.status };
  await recordAudit(transaction, actor, 'bookings cancel', details);
  return cancelled;
}

async function cancelLive(
  transaction: Transaction<Database>,
  { id, status }: BookingRow,
  texts: CancellationTexts,
): Promise<BookingRow | null> {
  return isLive(status) ? cancelBooking(transaction, id, status, 'studio', texts) : null;
}
