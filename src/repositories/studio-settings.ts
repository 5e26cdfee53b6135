import { sql, type Kysely, type Transaction, type Updateable } from 'kysely';
import type { StudioChanges } from '../database/rows/results.js';
import type { Database } from '../database/rows/schema.js';
import type { StudioAddressRow } from '../database/rows/studio.js';
import { exampleStudio } from '../database/seed.js';
import { daysFor } from '../schedule/weeks.js';
import { changeInSlotData, recordBookingEvents } from './events.js';
import { studioAddresses } from './studio.js';

const invented = ['name', 'description', 'street', 'phone', 'website'] as const;

/** The details of a studio that are those of the example. */
export function inventedDetails(studio: Pick<Database['studio'], (typeof invented)[number]>) {
  return invented.filter((member) => studio[member] === exampleStudio[member]);
}

export async function readStudio(database: Kysely<Database>) {
  return database.selectFrom('studio').selectAll().executeTakeFirstOrThrow();
}

/** The studio's days, in the order of `daysFor`. */
export async function readOpeningHours(database: Kysely<Database>) {
  return daysFor(await database.selectFrom('week_days').selectAll().execute(), null);
}

export async function lockStudio(transaction: Transaction<Database>) {
  return transaction.selectFrom('studio').selectAll().forUpdate().executeTakeFirstOrThrow();
}

export async function updateStudio(
  transaction: Transaction<Database>,
  changes: StudioChanges & Updateable<Pick<Database['studio'], 'address_from'>>,
) {
  return transaction.updateTable('studio').set(changes).returningAll().executeTakeFirstOrThrow();
}

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

/** Records a changed place for live bookings, each with an event. */
export async function recordNewPlaces(
  transaction: Transaction<Database>,
  ids: readonly string[],
  { isQuiet }: { isQuiet: boolean },
) {
  const moreData = changeInSlotData('studio', isQuiet);
  await sql`
    with changed as (
      update bookings
      set sequence = sequence + 1, quiet_changes = quiet_changes + 1
      where id = any(${ids}::uuid[]) and status in ('pending', 'confirmed')
      returning *
    )
    ${recordBookingEvents('booking.readdressed', 'changed', sql`booking_now()`, moreData)}`.execute(
    transaction,
  );
}
