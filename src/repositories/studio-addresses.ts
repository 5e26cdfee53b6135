import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../database/schema.js';
import { changeInSlotData, recordBookingEvents } from './events.js';
import { type StudioAddressRow, studioAddresses } from './studio.js';

/** In the order of the dates from which they count. */
export async function readAddresses(database: Kysely<Database>) {
  const { rows } = await sql<{
    addresses: StudioAddressRow[];
  }>`select ${studioAddresses} as addresses`.execute(database);
  return rows[0]?.addresses ?? [];
}

/** An address that counts only later. It replaces another one of the same date. */
export async function insertAddress(
  transaction: Transaction<Database>,
  { from_date, ...address }: StudioAddressRow,
) {
  await transaction
    .insertInto('studio_addresses')
    .values({ from_date, ...address })
    .onConflict((conflict) => conflict.column('from_date').doUpdateSet(address))
    .execute();
}

export async function deleteAddress(transaction: Transaction<Database>, fromDate: string) {
  await transaction.deleteFrom('studio_addresses').where('from_date', '=', fromDate).execute();
}

/** Gives the studio another address from a date on, and keeps the former one for the dates before. */
export async function replaceAddress(
  transaction: Transaction<Database>,
  { from_date, ...address }: StudioAddressRow,
) {
  await sql`
    insert into studio_addresses
    select coalesce(address_from, '0001-01-01'), street, city, region, postal_code, country from studio
    where coalesce(address_from, '0001-01-01') < ${from_date}::date
    on conflict do nothing`.execute(transaction);
  await deleteAddress(transaction, from_date);
  await transaction
    .updateTable('studio')
    .set({ ...address, address_from: from_date })
    .execute();
}

/** Records for live bookings that their place is another one, each with an event. */
export async function recordNewPlaces(
  transaction: Transaction<Database>,
  ids: readonly string[],
  { isQuiet }: { isQuiet: boolean },
) {
  const moreData = changeInSlotData('address', 'studio', isQuiet);
  await sql`
    with changed as (
      update bookings
      set sequence = sequence + 1, quiet_changes = quiet_changes + 1
      where id = any(${ids}::uuid[]) and status in ('pending', 'confirmed')
      returning bookings.*, starts_at_text as from_starts_at_text
    )
    ${recordBookingEvents('booking.moved', 'changed', sql`booking_now()`, moreData)}`.execute(
    transaction,
  );
}
