import type { Transaction } from 'kysely';
import type { BookingRow, Database } from '../../database/rows/schema.js';
import type { StudioRow } from '../../database/rows/studio.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudit } from '../../repositories/audit.js';
import { listUpcomingBookingsOfSlots } from '../../repositories/booking-search.js';
import { recordCalendarChange } from '../../repositories/events.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import {
  deleteAddress,
  insertAddress,
  lockStudio,
  readAddresses,
  recordNewPlaces,
  replaceAddress,
} from '../../repositories/studio-settings.js';
import {
  addressesAfter,
  addressOf,
  type DatedAddress,
  isSameAddress,
  withAddress,
} from '../../schedule/addresses.js';
import { todayInZone } from '../../schedule/slots.js';
import { areListed, type ListedBooking } from './booking-record.js';

/** The options of a change of the address. */
export interface AddressOptions {
  /** The first date on which it counts; without it today, at once. */
  from?: string | undefined;
  /** Whether the people of the affected sessions get no mail. */
  isQuiet?: boolean;
  /** The listed sessions: nothing changes if others are affected, or one has changed since. */
  listed?: readonly ListedBooking[] | undefined;
  /** The future addresses that the caller saw, as JSON: nothing changes if they differ. */
  seenComing?: string;
}

/** `touched` are not all among `listed`. Nothing was done. */
export interface TouchedSessions {
  outcome: 'touches';
  touched: BookingRow[];
}

/**
 * Gives the studio an address from a date on, which is not past. Each live session to come at another
 * place gets one event and one sequence. The transaction must hold the locks of `lockSlots` and
 * `lockStudio`.
 */
export async function saveAddress(
  transaction: Transaction<Database>,
  studio: StudioRow,
  address: DatedAddress,
  today: string,
  options: AddressOptions,
): Promise<{ outcome: 'saved'; touched: BookingRow[] } | TouchedSessions> {
  const before = await readAddresses(transaction);
  const after = withAddress(before, address);
  const changed = await touchSessions(transaction, before, after, options);
  if (changed.outcome === 'touches') return changed;
  const isToCome = address.from_date > today && address.from_date !== studio.address_from;
  await (isToCome ? insertAddress : replaceAddress)(transaction, address);
  return changed;
}

export type RemovedAddress =
  | { outcome: 'saved'; address: DatedAddress; touched: BookingRow[] }
  | TouchedSessions
  /** No address is to count from that date on. */
  | { outcome: 'not_found' };

/** Removes an address that does not count yet. */
export async function removeAddress(
  { database, clock }: Pick<DatabaseServices, 'database' | 'clock'>,
  actor: string,
  fromDate: string,
  options: Pick<AddressOptions, 'isQuiet' | 'listed'> = {},
): Promise<RemovedAddress> {
  return database.transaction().execute(async (transaction) => {
    await lockSlots(transaction);
    const { timezone } = await lockStudio(transaction);
    const before = await readAddresses(transaction);
    const coming = addressesAfter(before, todayInZone(timezone, clock.now()));
    const address = coming.find(({ from_date }) => from_date === fromDate);
    if (address === undefined) return { outcome: 'not_found' };
    const after = before.filter((each) => each !== address);
    const changed = await touchSessions(transaction, before, after, options);
    if (changed.outcome === 'touches') return changed;
    await deleteAddress(transaction, fromDate);
    await recordCalendarChange(transaction, 'info set');
    await recordAudit(transaction, actor, 'info set', {
      removed_address_from: fromDate,
      changed_bookings: changed.touched.map(({ id }) => id),
    });
    return { ...changed, address };
  });
}

async function touchSessions(
  transaction: Transaction<Database>,
  before: readonly DatedAddress[],
  after: readonly DatedAddress[],
  { isQuiet = false, listed }: AddressOptions,
): Promise<{ outcome: 'saved'; touched: BookingRow[] } | TouchedSessions> {
  const everyDate = { fromDate: '0001-01-01', toDate: '9999-12-31', timeSlot: null };
  const upcoming = await listUpcomingBookingsOfSlots(transaction, everyDate);
  const touched = upcoming.filter(
    ({ date }) => !isSameAddress(addressOf(before, date), addressOf(after, date)),
  );
  if (listed !== undefined && !areListed(touched, listed)) return { outcome: 'touches', touched };
  await recordNewPlaces(
    transaction,
    touched.map(({ id }) => id),
    { isQuiet },
  );
  return { outcome: 'saved', touched };
}
