import type { BookingRow } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudit } from '../../repositories/audit.js';
import { lockBooking } from '../../repositories/booking-search.js';
import { markNoShow, unmarkNoShow } from '../../repositories/booking-transitions.js';
import { hasChangedSince, type OfArtist } from './booking-record.js';

export type NoShow =
  /** `changed`: it is no longer as the caller saw it. */
  | { outcome: 'recorded' | 'unchanged' | 'not_begun' | 'changed'; booking: BookingRow }
  /** The booking was not confirmed: no other session can be missed. */
  | { outcome: 'not_confirmed'; booking: BookingRow }
  | { outcome: 'not_found' };

/**
 * Records that the person of a begun session did not come, or takes that back; with `sequence`, only if
 * the booking has not changed since.
 */
export async function recordNoShow(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  id: string,
  { undo, sequence = null, artistId }: { undo: boolean; sequence?: number | null } & OfArtist,
): Promise<NoShow> {
  return database.transaction().execute(async (transaction) => {
    const booking = await lockBooking(transaction, id, artistId);
    if (booking === null) return { outcome: 'not_found' };
    if (booking.status !== 'confirmed') return { outcome: 'not_confirmed', booking };
    if (hasChangedSince(booking, { sequence })) return { outcome: 'changed', booking };
    const isRecorded = booking.no_show_at !== null;
    if (isRecorded !== undo) return { outcome: 'unchanged', booking };
    const changed = await (undo ? unmarkNoShow : markNoShow)(transaction, id);
    if (changed === null) return { outcome: 'not_begun', booking };
    await recordAudit(transaction, actor, 'bookings no-show', { booking_id: id, undone: undo });
    return { outcome: 'recorded', booking: changed };
  });
}
