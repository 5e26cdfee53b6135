import { sql, type Kysely } from 'kysely';

/** By which a browser finds the hold of its form, also where the answer was lost. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table bookings add form_nonce_hash bytea`.execute(database);
}
