import { sql, type Kysely, type Transaction } from 'kysely';
import type { TimeSlot } from '../../generated/schemas.js';
import { deleter, finder } from '../database/rows.js';
import type { Database } from '../database/schema.js';

export interface NewClosure {
  fromDate: string;
  toDate: string;
  /** null: the whole day. */
  timeSlot: TimeSlot | null;
  reason: string;
}

export async function insertClosure(transaction: Transaction<Database>, closure: NewClosure) {
  return transaction
    .insertInto('closures')
    .values({
      from_date: closure.fromDate,
      to_date: closure.toDate,
      time_slot: closure.timeSlot,
      reason: closure.reason,
      created_at: sql<Date>`booking_now()`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
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
  { fromDate, toDate, timeSlot }: NewClosure,
) {
  const row = await database
    .selectFrom('closures')
    .selectAll()
    .where('from_date', '=', fromDate)
    .where('to_date', '=', toDate)
    .where('time_slot', 'is not distinct from', timeSlot)
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
