import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { Database } from '../database/schema.js';

/**
 * What a booking knows of a person and of whoever called for it, directly or through a hash that
 * the same values would give again. The booking itself remains: its slot, its instants, its id.
 */
const forgotten: RawBuilder<unknown> = sql`
  name = null, email = null, phone = null, pronouns = null, idea = null,
  caller_hash = null, caller_network_hash = null, api_key_id = null,
  idempotency_scope = null, idempotency_key = null, request_hash = null`;

export interface Retention {
  /** After a hold expired or a booking was cancelled. */
  unconfirmedDays: number;
  /** After the session of a confirmed booking began. */
  confirmedDays: number;
}

const batchSize = 1_000;

/**
 * Erases the personal data of up to a thousand bookings whose time is over. Rows that another
 * process is changing are skipped. Returns how many were erased.
 */
export async function eraseDuePersonalData(
  transaction: Transaction<Database>,
  { unconfirmedDays, confirmedDays }: Retention,
): Promise<number> {
  const { rows } = await sql`
    with due as materialized (
      select id from bookings
      where email is not null and (
        (status in ('expired', 'cancelled') and coalesce(expired_at, cancelled_at)
          <= booking_now() - make_interval(days => ${unconfirmedDays}))
        or (status = 'confirmed'
          and starts_at <= booking_now() - make_interval(days => ${confirmedDays}))
      )
      limit ${sql.lit(batchSize)}
      for update skip locked
    )
    update bookings set ${forgotten} from due where bookings.id = due.id
    returning bookings.id`.execute(transaction);
  return rows.length;
}

/** Erases what is known of the person behind an e-mail address. Returns how many bookings. */
export async function erasePersonalDataOf(
  transaction: Transaction<Database>,
  email: string,
): Promise<number> {
  const { rows } = await sql`
    update bookings set ${forgotten} where lower(email) = lower(${email.trim()})
    returning id`.execute(transaction);
  return rows.length;
}

const nightlyName = 'personal_data_erased_on';

/** The date of the last night whose erasure is done, or null. */
export async function readErasureNight(database: Kysely<Database>): Promise<string | null> {
  const row = await database
    .selectFrom('installation')
    .select('value')
    .where('name', '=', nightlyName)
    .executeTakeFirst();
  return row?.value ?? null;
}

export async function recordErasureNight(database: Kysely<Database>, night: string): Promise<void> {
  await database
    .insertInto('installation')
    .values({ name: nightlyName, value: night })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: night }))
    .execute();
}
