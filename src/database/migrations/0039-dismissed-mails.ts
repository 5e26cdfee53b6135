import { sql, type Kysely } from 'kysely';

/** Failed mails that the studio has acknowledged, and holds whose person has chosen the artist. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table mails add dismissed_at timestamptz`.execute(database);
  await sql`alter table bookings add is_artist_chosen boolean not null default false`.execute(
    database,
  );
}
