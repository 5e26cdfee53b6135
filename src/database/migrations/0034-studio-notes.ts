import { sql, type Kysely } from 'kysely';

/** The studio's note about a booking, and the sessions of one phone number. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table bookings add studio_note text`.execute(database);
  await sql`
    create index bookings_confirmed_by_phone on bookings (phone)
      where confirmed_at is not null and phone is not null`.execute(database);
}
