import { sql, type Kysely, type Transaction } from 'kysely';
import { deleter, finder } from '../database/row-queries.js';
import type { NewClosure } from '../database/rows/results.js';
import type { ClosureRow, Database } from '../database/rows/schema.js';

/** When the hours of a closure begin and end; milliseconds since the epoch. */
export interface ClosureInterval {
  startsAt: number;
  endsAt: number;
}

/** A closure with the instants of its hours. */
export interface PlacedClosure extends NewClosure {
  interval: ClosureInterval | null;
}

export async function insertClosure(transaction: Transaction<Database>, closure: PlacedClosure) {
  const [row] = await insertClosures(transaction, [closure]);
  if (row === undefined) throw new Error('no closure was inserted');
  return row;
}

export async function insertClosures(
  transaction: Transaction<Database>,
  closures: readonly (NewClosure & Partial<PlacedClosure>)[],
) {
  const { rows } = await sql<ClosureRow>`
    insert into closures (from_date, to_date, time_slot, reason, artist_id, created_at,
      from_time, to_time, starts_at, ends_at)
    select "fromDate", "toDate", "timeSlot", reason, "artistId", booking_now(),
      hours ->> 'from', hours ->> 'to', ${instantOf('startsAt')}, ${instantOf('endsAt')}
    from jsonb_to_recordset(${JSON.stringify(closures)}::jsonb) as added(
      "fromDate" date, "toDate" date, "timeSlot" time_slot, reason text, "artistId" integer,
      hours jsonb, interval jsonb)
    returning *`.execute(transaction);
  return rows;
}

function instantOf(member: keyof ClosureInterval) {
  return sql`to_timestamp((added.interval ->> ${sql.lit(member)})::bigint / 1000.0)`;
}

export const deleteClosure = deleter('closures', 'id');

export async function listClosures(database: Kysely<Database>, from: string) {
  return database
    .selectFrom('closures')
    .selectAll()
    .where('to_date', '>=', from)
    .orderBy('from_date')
    .orderBy('to_date')
    .orderBy('from_time')
    .orderBy('created_at')
    .execute();
}

export async function findSameClosure(
  database: Kysely<Database>,
  { fromDate, toDate, timeSlot, artistId = null, hours = null }: NewClosure,
) {
  const row = await database
    .selectFrom('closures')
    .selectAll()
    .where('from_date', '=', fromDate)
    .where('to_date', '=', toDate)
    .where('time_slot', 'is not distinct from', timeSlot)
    .where('artist_id', 'is not distinct from', artistId)
    .where('from_time', 'is not distinct from', hours?.from ?? null)
    .where('to_time', 'is not distinct from', hours?.to ?? null)
    .executeTakeFirst();
  return row ?? null;
}

export const findClosure = finder('closures', 'id');

/** The blocks from one date to another, inclusive, by their start. */
export async function listBlocks(
  database: Kysely<Database>,
  { from, to }: { from: string; to: string },
) {
  return database
    .selectFrom('closures')
    .selectAll()
    .where('from_date', '>=', from)
    .where('from_date', '<=', to)
    .where('starts_at', 'is not', null)
    .orderBy('starts_at')
    .orderBy('ends_at')
    .orderBy('created_at')
    .execute();
}

/** Stores the instants of blocks by their ids. */
export async function updateIntervals(
  transaction: Transaction<Database>,
  blocks: readonly ({ id: string } & { interval: ClosureInterval })[],
) {
  await sql`
    update closures set starts_at = ${instantOf('startsAt')}, ends_at = ${instantOf('endsAt')}
    from jsonb_to_recordset(${JSON.stringify(blocks)}::jsonb) as added(id uuid, interval jsonb)
    where closures.id = added.id`.execute(transaction);
}

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
