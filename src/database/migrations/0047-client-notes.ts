import { sql, type Kysely } from 'kysely';

/** The studio's note about a client, on each of their bookings: it is erased with the last of them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table bookings add column client_note text`.execute(database);
}
