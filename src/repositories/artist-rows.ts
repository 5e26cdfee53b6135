import { sql, type Kysely } from 'kysely';
import { onlyRow } from '../database/row-queries.js';
import type { Database } from '../database/rows/schema.js';

/** The rows that an artist may open by their id. */
export type ArtistRowKind = 'booking' | 'mail' | 'closure' | 'feed' | 'session' | 'passkey';

/**
 * How many of the rows exist and are the artist's. A mail is that of the artist of its booking, unless
 * another artist got it.
 */
export async function countRowsOfArtist(
  database: Kysely<Database>,
  { artistId, kind, ids }: { artistId: number; kind: ArtistRowKind; ids: readonly string[] },
) {
  const { rows } = await sql<{ found: number }>`
    select count(*)::integer as found from (
      select 'booking' as kind, id, artist_id from bookings
      union all
      select 'mail', mails.id, bookings.artist_id
      from mails join bookings on bookings.id = booking_id
      where mails.artist_id is null or mails.artist_id = bookings.artist_id
      union all select 'closure', id, artist_id from closures
      union all select 'feed', id, artist_id from calendar_feeds
      union all select 'session', id, artist_id from console_sessions
      union all select 'passkey', id, artist_id from passkeys
    ) as named
    where kind = ${kind} and id = any(${ids}::uuid[]) and artist_id = ${artistId}`.execute(
    database,
  );
  return onlyRow(rows).found;
}
