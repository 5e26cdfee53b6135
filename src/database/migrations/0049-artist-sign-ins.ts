import { sql, type Kysely } from 'kysely';

/**
 * The artist whose sign-in it is; null: the owner's. Earlier versions would take a session of an artist
 * for one of the owner's, so that their sign-ins fail from now on: they know another name of the hash.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`select raise_minimum_version('3.1.0')`.execute(database);
  await sql`alter table console_sessions rename column token_hash to session_hash`.execute(
    database,
  );
  for (const table of ['console_links', 'console_sessions', 'passkeys']) {
    await sql`alter table ${sql.table(table)} add column artist_id integer references artists (id)`.execute(
      database,
    );
  }
}
