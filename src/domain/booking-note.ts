import type { DatabaseServices } from '../database/services.js';
import { recordAudit } from '../repositories/audit.js';
import { lockBooking } from '../repositories/booking-search.js';
import { setNote } from '../repositories/corrections.js';

/** The longest note, in characters. */
export const maxNoteLength = 2_000;

/** `changed`: the note is no longer as the caller saw it. `erased`: so is the person's data. */
export type NotedBooking = 'saved' | 'unchanged' | 'changed' | 'erased' | 'not_found';

/**
 * Writes the studio's note about a booking, which nobody else reads; null removes it. It is personal data:
 * in no event, and the audit does not say it. `seen`: the note as the caller saw it.
 */
export async function noteBooking(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  id: string,
  note: string | null,
  seen: string | null,
): Promise<NotedBooking> {
  return database.transaction().execute(async (transaction) => {
    const booking = await lockBooking(transaction, id);
    if (booking === null) return 'not_found';
    if (booking.name === null) return 'erased';
    const { studio_note: present } = booking;
    if (present === note) return 'unchanged';
    if (present !== seen) return 'changed';
    await setNote(transaction, id, note);
    await recordAudit(transaction, actor, 'bookings note', { booking_id: id });
    return 'saved';
  });
}
