import { sql, type Kysely, type Transaction } from 'kysely';
import { deleter, finder } from '../database/row-queries.js';
import type { ConsoleSessionRow } from '../database/rows/console.js';
import type { Database } from '../database/rows/schema.js';

/** Whether a sign-in is the owner's, or of an artist who is not hidden and has not left. */
export const maySignIn = sql<boolean>`(
  artist_id is null or artist_id in (
    select artists.id from artists, studio
    where hidden_at is null
      and (last_day is null or last_day >= (booking_now() at time zone timezone)::date)))`;

/** A session ends after 12 hours without a request, 30 days after the sign-in, and with its artist. */
const isLive = sql<boolean>`(
  last_seen_at > booking_now() - interval '12 hours'
  and signed_in_at > booking_now() - interval '30 days' and ${maySignIn})`;

const linkLifetimeMinutes = 15;

/** A link that signs in once, within 15 minutes. Expired ones are deleted. */
export async function insertLink(
  transaction: Transaction<Database>,
  { tokenHash, ...whose }: { tokenHash: Buffer; name: string; artist_id: number | null },
) {
  await sql`delete from console_links where expires_at <= booking_now()`.execute(transaction);
  return transaction
    .insertInto('console_links')
    .values({
      token_hash: tokenHash,
      ...whose,
      created_at: sql<Date>`booking_now()`,
      expires_at: sql<Date>`booking_now() + make_interval(mins => ${linkLifetimeMinutes})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
}

/** Deletes a link. Resolves with whose it is; null if it is unknown, used or expired, or its artist hidden. */
export async function takeLink(transaction: Transaction<Database>, tokenHash: Buffer) {
  const row = await transaction
    .deleteFrom('console_links')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`booking_now()`)
    .where(maySignIn)
    .returning(['name', 'artist_id'])
    .executeTakeFirst();
  return row ?? null;
}

/** Starts a session. Those that have ended by time are deleted. */
export async function insertSession(
  transaction: Transaction<Database>,
  row: Pick<ConsoleSessionRow, 'session_hash' | 'name' | 'passkey_id' | 'artist_id'>,
) {
  await sql`delete from console_sessions where not ${isLive}`.execute(transaction);
  const now = sql<Date>`booking_now()`;
  return transaction
    .insertInto('console_sessions')
    .values({ ...row, signed_in_at: now, last_seen_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The live session of a token; null without one. `isUse`: whether the request keeps it alive. */
export async function findSession(database: Kysely<Database>, tokenHash: Buffer, isUse: boolean) {
  const { rows } = await sql<ConsoleSessionRow>`
    with found as (
      select * from console_sessions where session_hash = ${tokenHash} and ${isLive}
    ),
    seen as (
      update console_sessions set last_seen_at = booking_now()
      from found
      where console_sessions.id = found.id and ${isUse}
        and found.last_seen_at < booking_now() - interval '1 minute'
    )
    select * from found`.execute(database);
  return rows[0] ?? null;
}

/** `artistId`: only those of the artist; null: all. */
export async function listSessions(database: Kysely<Database>, artistId: number | null) {
  return database
    .selectFrom('console_sessions')
    .selectAll()
    .where(isLive)
    .$if(artistId !== null, (query) => query.where('artist_id', '=', artistId))
    .orderBy('signed_in_at', 'desc')
    .orderBy('id')
    .execute();
}

/**
 * Whether a session is live and began in the last 10 minutes, as adding a passkey requires. It stays live
 * until the transaction ends.
 */
export async function isRecentSignIn(database: Kysely<Database>, id: string) {
  const { rows } = await sql`
    select from console_sessions
    where id = ${id} and ${isLive} and signed_in_at > booking_now() - interval '10 minutes'
    for key share`.execute(database);
  return rows.length > 0;
}

export const deleteSessionOf = deleter('console_sessions', 'session_hash');

/** Ends all sessions of an artist, and makes their links useless. */
export async function deleteSessionsOfArtist(transaction: Transaction<Database>, id: number) {
  await transaction.deleteFrom('console_links').where('artist_id', '=', id).execute();
  await transaction.deleteFrom('console_sessions').where('artist_id', '=', id).execute();
}

export async function deleteSessions(transaction: Transaction<Database>, ids: readonly string[]) {
  return transaction.deleteFrom('console_sessions').where('id', 'in', ids).returningAll().execute();
}

/** The pause after which a look begins another visit. */
const visitPauseMinutes = 30;

/**
 * Records a visit to the first page of the console. Resolves with the instant of the last look in the
 * visit before, or null.
 */
export async function recordVisit(database: Kysely<Database>, name: string) {
  const { rows } = await sql<{ before_at: Date | null }>`
    insert into console_visits as visit (name, seen_at) values (${name}, booking_now())
    on conflict (name) do update set
      before_at = case
        when visit.seen_at < booking_now() - make_interval(mins => ${visitPauseMinutes})
          then visit.seen_at else visit.before_at end,
      seen_at = booking_now()
    returning before_at`.execute(database);
  return rows[0]?.before_at ?? null;
}

/** The visit before, without recording a look. */
export async function findVisitBefore(database: Kysely<Database>, name: string) {
  return (await findVisit(database, name))?.before_at ?? null;
}

const findVisit = finder('console_visits', 'name');

/** Deletes visits older than 90 days. */
export async function deleteOldVisits(database: Kysely<Database>) {
  await sql`
    delete from console_visits
    where seen_at < booking_now() - make_interval(days => 90)`.execute(database);
}
