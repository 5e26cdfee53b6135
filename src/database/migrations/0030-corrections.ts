import { sql, type Kysely } from 'kysely';

/**
 * The token of a new link, after the studio has corrected the e-mail address of a booking. The former
 * column keeps that of the first, which replays of the hold answer: those of 2.8 too.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table bookings add current_token_sealed bytea`.execute(database);
}
