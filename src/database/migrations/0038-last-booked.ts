import { sql, type Kysely } from 'kysely';

/** When each artist was booked last: who was booked longest ago gets the person who chooses nobody. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create index bookings_live_by_artist on bookings (artist_id, created_at)
      where status in ('pending', 'confirmed')`.execute(database);
}
