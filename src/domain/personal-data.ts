import type { BookingRow } from '../database/schema.js';
import type { DatabaseServices } from '../database/services.js';
import { deleteApiKeysOfEmail, deleteRevokedApiKeys } from '../repositories/api-keys.js';
import { recordAudit } from '../repositories/audit.js';
import { listUpcomingBookingsOf, type BookingSelector } from '../repositories/booking-search.js';
import {
  eraseDuePersonalData,
  erasePersonalDataOf,
  readErasureNight,
  recordErasureNight,
} from '../repositories/personal-data.js';
import { lockSlots } from '../repositories/slot-taking.js';
import { readStudio } from '../repositories/studio-settings.js';
import { todayInZone } from '../schedule/slots.js';
import { areListed, type ListedBooking } from './booking-record.js';
import { cancelAll } from './cancellation.js';

const nightlyActor = 'nightly job';
/** In the studio's time zone. */
const nightBeginsAtHour = 3;
const hourMs = 3_600_000;

type ErasureServices = Pick<DatabaseServices, 'database' | 'config' | 'clock'>;

/**
 * Erases personal data past its retention, and old revoked API keys, once a night: the first call
 * after 03:00 does it, in any process. A missed night is caught up by the next call; concurrent calls
 * erase each booking once. Returns the number of erased bookings; null if this night is done.
 */
export async function eraseNightly(context: ErasureServices): Promise<number | null> {
  const { timezone } = await readStudio(context.database);
  const night = todayInZone(timezone, context.clock.now() - nightBeginsAtHour * hourMs);
  const done = await readErasureNight(context.database);
  // A recorded night in the future comes from a wrong clock, and does not count.
  if (done === night) return null;
  const erased = await eraseAllDue(context);
  await deleteRevokedApiKeys(context.database, context.config.retentionUnconfirmedDays);
  await recordErasureNight(context.database, night);
  return erased;
}

async function eraseAllDue({ database, config }: ErasureServices): Promise<number> {
  const retention = {
    unconfirmedDays: config.retentionUnconfirmedDays,
    confirmedDays: config.retentionConfirmedDays,
  };
  let total = 0;
  for (;;) {
    const erased = await database.transaction().execute(async (transaction) => {
      const bookings = await eraseDuePersonalData(transaction, retention);
      if (bookings > 0) {
        await recordAudit(transaction, nightlyActor, 'personal data erase', { bookings });
      }
      return bookings;
    });
    if (erased === 0) return total;
    total += erased;
  }
}

export type Forgetting =
  | { outcome: 'forgotten'; bookings: number; cancelled: BookingRow[]; apiKeys: number }
  /** Nothing was erased: these sessions are to come, and may not be cancelled. */
  | { outcome: 'upcoming'; upcoming: BookingRow[] };

export interface ForgetOptions {
  /** Whether upcoming sessions are cancelled; a list allows only those, as the caller saw them. */
  cancelBookings: boolean | readonly ListedBooking[];
}

/**
 * Erases the personal data of an e-mail address (case-insensitive) from all bookings, and deletes its
 * API keys; or that of one booking, whose person may have given no address. Refused while a session
 * is upcoming that may not be cancelled: the studio would not know who comes.
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
    const apiKeys = 'email' in whose ? await deleteApiKeysOfEmail(transaction, whose.email) : 0;
    if (bookings + apiKeys > 0) {
      await recordAudit(transaction, actor, 'bookings forget', {
        ...('id' in whose && { booking_id: whose.id }),
        bookings,
        api_keys: apiKeys,
        cancelled_bookings: cancelled.map(({ id }) => id),
      });
    }
    return { outcome: 'forgotten', bookings, cancelled, apiKeys };
  });
}
