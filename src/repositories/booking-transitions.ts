import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { BookingRow, Database } from '../database/rows/schema.js';
import { changeData, recordBookingEvents } from './events.js';
import { elsewhereOfBooking } from './person-sessions.js';
import {
  isNeeded,
  isProven,
  noProof,
  proofData,
  proofOf,
  rememberProof,
  spendProof,
  type Proof,
} from './proof.js';

/**
 * Each transition is one statement: a compare-and-set on the status (and on `expires_at`, by the
 * database's clock), which also inserts the event row. Null means that the booking was not in a
 * state that allows the transition.
 */

const occurredAt = sql`(select now from moment)`;

/**
 * `pending → confirmed`, before `expires_at`, unless the person has another session then
 * (`findSessionElsewhere`); with `sequence`, only if it is unchanged.
 */
export async function confirmBooking(
  database: Kysely<Database>,
  id: string,
  proof: Proof,
  sequence: number | null = null,
) {
  const moreData = sql`${changeData('person')} || ${proofData(proof)}`;
  const { rows } = await sql<BookingRow>`
    with moment as materialized (select booking_now() as now),
    ${proofOf(id, proof)},
    ${elsewhereOfBooking(id)},
    confirmed as (
      update bookings
      set status = 'confirmed', confirmed_at = moment.now,
        confirmed_via = case when ${isNeeded(proof)} then 'code' else 'link' end, ${rememberProof},
        sequence = sequence + 1
      from moment
      where id = ${id} and status = 'pending' and expires_at > moment.now
        and sequence = coalesce(${sequence}, sequence) and ${isProven(proof)}
        and not exists (select from elsewhere)
      returning bookings.*
    ),
    ${spendProof('confirmed')},
    event as (${recordBookingEvents('booking.confirmed', 'confirmed', occurredAt, moreData)})
    select * from confirmed`.execute(database);
  return rows[0] ?? null;
}

export interface CancelOptions {
  /** The studio's reason, which the mail to the person has. */
  reason?: string | null;
  /** The studio's words to the person, in the mail and on the page. */
  word?: string | null;
  /** If given, the booking must still have it. */
  sequence?: number | null;
  /** The proof that a person's change needs. */
  proof?: Proof;
}

/**
 * `pending → cancelled` before `expires_at`, or `confirmed → cancelled`; `from` selects one. A person
 * can cancel a confirmed session until it begins, the studio also later, and with a reason.
 */
export async function cancelBooking(
  database: Kysely<Database>,
  id: string,
  from: 'pending' | 'confirmed',
  by: 'person' | 'studio',
  options: CancelOptions = {},
) {
  const { rows } = await sql<BookingRow>`
    ${cancellation(id, from, by, options)}
    select * from cancelled`.execute(database);
  return rows[0] ?? null;
}

/** The statement of `cancelBooking`, to be followed by a select from `cancelled`. */
export function cancellation(
  id: string,
  from: 'pending' | 'confirmed',
  by: 'person' | 'studio',
  { reason = null, word = null, sequence = null, proof = noProof }: CancelOptions,
): RawBuilder<unknown> {
  const moreData = sql`${changeData(by)} || ${proofData(proof)}`;
  return sql`
    with moment as materialized (select booking_now() as now),
    ${proofOf(id, proof)},
    cancelled as (
      update bookings
      set status = 'cancelled', cancelled_at = moment.now, cancellation_reason = ${reason},
        studio_word = ${word}, ${rememberProof}, sequence = sequence + 1
      from moment
      where id = ${id} and status = ${from}
        and sequence = coalesce(${sequence}, sequence)
        and (status = 'confirmed' or expires_at > moment.now)
        and (status = 'pending' or starts_at > moment.now or ${by} = 'studio')
        and ${isProven(proof)}
      returning bookings.*
    ),
    ${spendProof('cancelled')},
    event as (${recordBookingEvents('booking.cancelled', 'cancelled', occurredAt, moreData)})`;
}

/**
 * Records that the person of a confirmed session did not come; from its start on. It changes neither
 * the slot nor the calendar file, so neither event row nor sequence.
 */
export async function markNoShow(database: Kysely<Database>, id: string) {
  const { rows } = await sql<BookingRow>`
    update bookings set no_show_at = booking_now()
    where id = ${id} and status = 'confirmed' and starts_at <= booking_now()
    returning *`.execute(database);
  return rows[0] ?? null;
}

export async function unmarkNoShow(database: Kysely<Database>, id: string) {
  const { rows } = await sql<BookingRow>`
    update bookings set no_show_at = null where id = ${id} returning *`.execute(database);
  return rows[0] ?? null;
}

const expiryBatchSize = 1_000;

/**
 * `pending → expired` for up to 1,000 lapsed holds, oldest first. Locked rows are skipped: the other
 * transaction expires or changes them, or the next run finds them. Returns the lateness of each, in
 * seconds.
 */
export async function expireDueHolds(database: Kysely<Database>) {
  const { rows } = await sql<{ latenessSeconds: number }>`
    with moment as materialized (select booking_now() as now),
    due as materialized (
      select id from bookings
      where status = 'pending' and expires_at <= (select now from moment)
      order by expires_at
      limit ${sql.lit(expiryBatchSize)}
      for update skip locked
    ),
    expired as (
      update bookings set status = 'expired', expired_at = expires_at, sequence = sequence + 1
      from due
      where bookings.id = due.id
      returning bookings.*
    ),
    event as (${recordBookingEvents('hold.expired', 'expired', occurredAt)})
    select extract(epoch from (select now from moment) - expires_at)::float8 as "latenessSeconds"
    from expired`.execute(database);
  return rows.map(({ latenessSeconds }) => latenessSeconds);
}

export async function countOverdueHolds(database: Kysely<Database>) {
  const { rows } = await sql<{ overdue: number }>`
    select count(*)::integer as overdue from bookings
    where status = 'pending' and expires_at < booking_now() - interval '1 minute'`.execute(
    database,
  );
  return rows[0]?.overdue ?? 0;
}
