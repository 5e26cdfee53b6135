import { sql, type Kysely, type Transaction } from 'kysely';
import { deleter, finder } from '../database/row-queries.js';
import type { NewClosure } from '../database/rows/results.js';
import type { ClosureRow, Database } from '../database/rows/schema.js';

export async function insertClosure(transaction: Transaction<Database>, closure: NewClosure) {
  const [row] = await insertClosures(transaction, [closure]);
  if (row === undefined) throw new Error('no closure was inserted');
  return row;
}

export async function insertClosures(
  transaction: Transaction<Database>,
  closures: readonly NewClosure[],
) {
  const { rows } = await sql<ClosureRow>`
    insert into closures (from_date, to_date, time_slot, reason, artist_id, created_at)
    select "fromDate", "toDate", "timeSlot", reason, "artistId", booking_now()
    from jsonb_to_recordset(${JSON.stringify(closures)}::jsonb) as added(
      "fromDate" date, "toDate" date, "timeSlot" time_slot, reason text, "artistId" integer)
    returning *`.execute(transaction);
  return rows;
}

export const deleteClosure = deleter('closures', 'id');

export async function listClosures(database: Kysely<Database>, from: string) {
  return database
    .selectFrom('closures')
    .selectAll()
    .where('to_date', '>=', from)
    .orderBy('from_date')
    .orderBy('to_date')
    .orderBy('created_at')
    .execute();
}

export async function findSameClosure(
  database: Kysely<Database>,
  { fromDate, toDate, timeSlot, artistId = null }: NewClosure,
) {
  const row = await database
    .selectFrom('closures')
    .selectAll()
    .where('from_date', '=', fromDate)
    .where('to_date', '=', toDate)
    .where('time_slot', 'is not distinct from', timeSlot)
    .where('artist_id', 'is not distinct from', artistId)
    .executeTakeFirst();
  return row ?? null;
}

export const findClosure = finder('closures', 'id');

/**
 * The bookings that were decided when the closure was added, as the audit names them, by date. Versions
 * before 2.9.0 named those that they cancelled.
 */
export async function listDecidedWithClosure(database: Kysely<Database>, id: string) {
  const named = sql<string>`(
    select jsonb_array_elements_text(
      coalesce(details -> 'decided_bookings', details -> 'cancelled_bookings'))::uuid
    from audit_log
    where action = 'closures add'
      and details @> ${JSON.stringify({ closure_id: id })}::jsonb)`;
  return database
    .selectFrom('bookings')
    .selectAll()
    .where('id', 'in', named)
    .orderBy('date')
    .orderBy('starts_at')
    .execute();
}
