import { sql, type Kysely } from 'kysely';
import type { Database } from '../database/rows/schema.js';

/** The rows that an artist may open by their id. */
export type ArtistRowKind =
  | 'bookings'
  | 'mails'
  | 'closures'
  | 'calendar_feeds'
  | 'console_sessions'
  | 'passkeys';

/** Whether all rows exist and are the artist's. A mail is that of the artist of its booking. */
export async function areOfArtist(
  database: Kysely<Database>,
  kind: ArtistRowKind,
  ids: readonly string[],
  artistId: number,
): Promise<boolean> {
  const wanted = [...new Set(ids)];
  const from =
    kind === 'mails'
      ? sql`(select mails.id, bookings.artist_id from mails join bookings on bookings.id = booking_id)`
      : sql.table(kind);
  const { rows } = await sql<{ found: number }>`
    select count(*)::integer as found from ${from} as rows
    where id = any(${wanted}::uuid[]) and artist_id = ${artistId}`.execute(database);
  return rows[0]?.found === wanted.length;
}
