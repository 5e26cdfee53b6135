import type { BookingSelector } from '../../database/rows/results.js';
import type { BookingRow } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { deleteApiKeysOfMailbox } from '../../repositories/api-keys.js';
import { recordAudit } from '../../repositories/audit.js';
import { listUpcomingBookingsOf } from '../../repositories/booking-search.js';
import { erasePersonalDataOf } from '../../repositories/personal-data.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import { areListed, type ListedBooking } from './booking-record.js';
import { cancelAll } from './cancellation.js';
import { bookingIdOf } from './personal-copy.js';

export type Forgetting =
  | { outcome: 'forgotten'; bookings: number; cancelled: BookingRow[]; apiKeys: number }
  /** Nothing was erased: these sessions are to come, and the caller has not allowed cancelling them. */
  | { outcome: 'upcoming'; upcoming: BookingRow[] };

export interface ForgetOptions {
  /** Whether upcoming sessions are cancelled; a list allows only those, as the caller saw them. */
  cancelBookings: boolean | readonly ListedBooking[];
}

/**
 * Erases the personal data of a mailbox from all bookings, and deletes its API keys; or that of a client
 * without one, or of one booking. Refused while an upcoming session may not be cancelled: the studio would
 * not know who comes.
 */
export async function forgetPerson(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  whose: BookingSelector,
  { cancelBookings }: ForgetOptions,
): Promise<Forgetting> {
  return database.transaction().execute(async (transaction) => {
    // A concurrent booking is either seen here, or made after the erasure.
    await lockSlots(transaction);
    const upcoming = await listUpcomingBookingsOf(transaction, whose);
    const mayCancel =
      typeof cancelBookings === 'boolean' ? cancelBookings : areListed(upcoming, cancelBookings);
    if (upcoming.length > 0 && !mayCancel) return { outcome: 'upcoming', upcoming };
    const cancelled = await cancelAll(transaction, upcoming);
    const bookings = await erasePersonalDataOf(transaction, whose);
    const apiKeys = 'email' in whose ? await deleteApiKeysOfMailbox(transaction, whose.email) : 0;
    if (bookings + apiKeys > 0) {
      await recordAudit(transaction, actor, 'bookings forget', {
        ...('email' in whose ? {} : { booking_id: bookingIdOf(whose) }),
        bookings,
        api_keys: apiKeys,
        cancelled_bookings: cancelled.map(({ id }) => id),
      });
    }
    return { outcome: 'forgotten', bookings, cancelled, apiKeys };
  });
}
