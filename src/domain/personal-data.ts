import type { DatabaseServices } from '../database/services.js';
import type { BookingRow } from '../database/schema.js';
import { deleteApiKeysOfEmail, deleteRevokedApiKeys } from '../repositories/api-keys.js';
import { recordAudit } from '../repositories/audit.js';
import { listUpcomingBookingsOfEmail } from '../repositories/booking-search.js';
import { lockHoldCreation } from '../repositories/bookings.js';
import {
  eraseDuePersonalData,
  erasePersonalDataOf,
  readErasureNight,
  recordErasureNight,
} from '../repositories/personal-data.js';
import { readStudio } from '../repositories/studio-settings.js';
import { cancelAll } from './cancellation.js';
import { todayInZone } from '../calendar/slots.js';

const nightlyActor = 'nightly job';
/** On the studio's clock: when a new night's erasure is due. */
const nightBeginsAtHour = 3;
const hourMs = 3_600_000;

type ErasureServices = Pick<DatabaseServices, 'database' | 'config' | 'clock'>;

/**
 * Erases the personal data whose time is over (of bookings, and revoked API keys), once a night: the
 * first call after three in the morning does it, on whichever process, and the others find it done.
 * A night that was missed is made up for by the next call; two calls at once erase each booking
 * once. Returns how many bookings were erased; null when this night's erasure was done before.
 */
export async function eraseNightly(context: ErasureServices): Promise<number | null> {
  const { timezone } = await readStudio(context.database);
  const night = todayInZone(timezone, context.clock.now() - nightBeginsAtHour * hourMs);
  const done = await readErasureNight(context.database);
  // A later night than this one was a clock's fault: waiting for it would keep everything.
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
  /** Nothing was changed: these are still to come. */
  | { outcome: 'upcoming'; upcoming: BookingRow[] };

/**
 * Erases what is known of the person behind an e-mail address, whatever its capitals: from bookings,
 * and with the API keys that were made for it, which are no keys any more. Refused while a session of
 * theirs is still to come, unless it is to be cancelled with it: the studio could not tell who comes.
 */
export async function forgetPerson(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  email: string,
  { cancelBookings }: { cancelBookings: boolean },
): Promise<Forgetting> {
  return database.transaction().execute(async (transaction) => {
    // A hold that is placed meanwhile is either seen here, or keeps its details.
    await lockHoldCreation(transaction);
    const upcoming = await listUpcomingBookingsOfEmail(transaction, email);
    if (upcoming.length > 0 && !cancelBookings) return { outcome: 'upcoming', upcoming };
    const cancelled = await cancelAll(transaction, upcoming);
    const bookings = await erasePersonalDataOf(transaction, email);
    const apiKeys = await deleteApiKeysOfEmail(transaction, email);
    if (bookings + apiKeys > 0) {
      await recordAudit(transaction, actor, 'bookings forget', {
        bookings,
        api_keys: apiKeys,
        cancelled_bookings: cancelled.map(({ id }) => id),
      });
    }
    return { outcome: 'forgotten', bookings, cancelled, apiKeys };
  });
}
