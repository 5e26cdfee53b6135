import type { TimeSlot } from '../../generated/schemas.js';
import { sql, type Expression, type Kysely, type SqlBool, type Transaction } from 'kysely';
import type { BookingRow, BookingStatus, Database } from '../database/schema.js';

/** What is asked for; whatever is left out is no condition. */
export interface BookingFilter {
  /** Dates, both included. */
  from?: string | undefined;
  to?: string | undefined;
  /** As they are now: a lapsed hold counts as expired, whether or not any job has run. */
  statuses?: readonly BookingStatus[] | undefined;
  /** Whatever its capitals. */
  email?: string | undefined;
}

const lapsed = sql<boolean>`(status = 'pending' and expires_at <= booking_now())`;

/** The bookings in the order of their dates. */
export async function searchBookings(
  database: Kysely<Database>,
  { from, to, statuses, email }: BookingFilter,
  limit: number,
): Promise<BookingRow[]> {
  let query = database.selectFrom('bookings').selectAll();
  if (from !== undefined) query = query.where('date', '>=', from);
  if (to !== undefined) query = query.where('date', '<=', to);
  if (email !== undefined) query = query.where(hasEmail(email));
  if (statuses !== undefined) {
    const status = sql<string>`case when ${lapsed} then 'expired' else status end`;
    query = query.where(status, 'in', statuses);
  }
  return query.orderBy('date').orderBy('starts_at').orderBy('created_at').limit(limit).execute();
}

/** Up to `limit` bookings whose ids begin so. The prefix holds hexadecimal digits and dashes. */
export async function findBookingsByIdPrefix(
  database: Kysely<Database>,
  prefix: string,
  limit: number,
): Promise<BookingRow[]> {
  return database
    .selectFrom('bookings')
    .selectAll()
    .where(sql<string>`id::text`, 'like', `${prefix.toLowerCase()}%`)
    .limit(limit)
    .execute();
}

/** Which slots: dates, both included, and one session of each or all. */
export interface SlotSelection {
  fromDate: string;
  toDate: string;
  timeSlot: TimeSlot | null;
}

/** The bookings that hold one of these slots now, in the order of their dates. */
export async function listLiveBookingsOfSlots(
  database: Kysely<Database>,
  { fromDate, toDate, timeSlot }: SlotSelection,
): Promise<BookingRow[]> {
  let query = database
    .selectFrom('bookings')
    .selectAll()
    .where(isLive())
    .where('date', '>=', fromDate)
    .where('date', '<=', toDate);
  if (timeSlot !== null) query = query.where('time_slot', '=', timeSlot);
  return query.orderBy('date').orderBy('starts_at').execute();
}

/** The live bookings from that date on whose session is none of the week's. */
export async function listLiveBookingsOutsideSessions(
  database: Kysely<Database>,
  from: string,
): Promise<BookingRow[]> {
  return database
    .selectFrom('bookings')
    .selectAll()
    .where(isLive())
    .where('date', '>=', from)
    .where(
      sql<SqlBool>`not exists (
        select 1 from weekly_sessions
        where weekday = extract(isodow from bookings.date)
          and weekly_sessions.time_slot = bookings.time_slot)`,
    )
    .orderBy('date')
    .orderBy('starts_at')
    .execute();
}

/** The live bookings of an e-mail address whose session is still to come. */
export async function listUpcomingBookingsOfEmail(
  database: Kysely<Database>,
  email: string,
): Promise<BookingRow[]> {
  return database
    .selectFrom('bookings')
    .selectAll()
    .where(isLive())
    .where(hasEmail(email))
    .where('starts_at', '>', sql<Date>`booking_now()`)
    .orderBy('date')
    .orderBy('starts_at')
    .execute();
}

/** The live bookings still to come that were made in another time zone than this one. */
export async function countUpcomingOutsideZone(
  database: Kysely<Database>,
  timezone: string,
): Promise<number> {
  const { count } = await database
    .selectFrom('bookings')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where(isLive())
    .where('starts_at', '>', sql<Date>`booking_now()`)
    .where('timezone', '<>', timezone)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The booking, which nobody else changes until the transaction ends. */
export async function lockBooking(
  transaction: Transaction<Database>,
  id: string,
): Promise<BookingRow | null> {
  const row = await transaction
    .selectFrom('bookings')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

function isLive(): Expression<SqlBool> {
  return sql<SqlBool>`status in ('pending', 'confirmed') and not ${lapsed}`;
}

function hasEmail(email: string): Expression<SqlBool> {
  return sql<SqlBool>`lower(email) = lower(${email.trim()})`;
}
