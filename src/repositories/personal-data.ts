import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { findEntry } from '../database/rows.js';
import type { Database } from '../database/schema.js';
import { isSelected, type BookingSelector } from './booking-search.js';

/**
 * The personal data of a booking, including hashes of it, and that of its caller. Id, slot and
 * instants remain.
 */
const erased: RawBuilder<unknown> = sql`
  name = null, email = null, phone = null, pronouns = null, idea = null,
  cancellation_reason = null, studio_word = null, studio_note = null, reminders_stopped_at = null,
  code_asked_at = null, code_proven_at = null, caller_hash = null, caller_network_hash = null, api_key_id = null,
  idempotency_scope = null, idempotency_key = null, request_hash = null,
  form_nonce_hash = null`;

/** The studio's words to and about the person, which processes of versions before do not all erase. */
const hasWords = sql`(
  cancellation_reason is not null or studio_word is not null or studio_note is not null)`;

export interface Retention {
  /** After a hold expired or a booking was cancelled. */
  unconfirmedDays: number;
  /** After the session of a confirmed booking began. */
  confirmedDays: number;
}

const batchSize = 1_000;

/**
 * Erases up to 1,000 bookings past their retention; locked rows are skipped. Returns their number. A
 * process of a version before erases everything but the studio's words, which are then due at once.
 */
export async function eraseDuePersonalData(
  transaction: Transaction<Database>,
  { unconfirmedDays, confirmedDays }: Retention,
) {
  const { rows } = await sql`
    with due as materialized (
      select id from bookings
      where (name is null and ${hasWords}) or (name is not null and (
        (status in ('expired', 'cancelled') and coalesce(expired_at, cancelled_at)
          <= booking_now() - make_interval(days => ${unconfirmedDays}))
        or (status = 'confirmed'
          and starts_at <= booking_now() - make_interval(days => ${confirmedDays}))
      ))
      limit ${sql.lit(batchSize)}
      for update skip locked
    )
    update bookings set ${erased} from due where bookings.id = due.id
    returning bookings.id`.execute(transaction);
  return rows.length;
}

/** Erases the personal data of the bookings. Returns the number of those that had any. */
export async function erasePersonalDataOf(
  transaction: Transaction<Database>,
  bookings: BookingSelector,
) {
  const { rows } = await sql`
    update bookings set ${erased}
    where ${isSelected(bookings)} and (name is not null or ${hasWords})
    returning id`.execute(transaction);
  return rows.length;
}

const nightlyName = 'personal_data_erased_on';

/** The date of the last nightly erasure, or null. */
export async function readErasureNight(database: Kysely<Database>) {
  return (await findEntry(database, nightlyName))?.value ?? null;
}

export async function recordErasureNight(database: Kysely<Database>, night: string) {
  await database
    .insertInto('installation')
    .values({ name: nightlyName, value: night })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: night }))
    .execute();
}
