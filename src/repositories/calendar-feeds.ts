import { sql, type Kysely, type Transaction } from 'kysely';
import type { CalendarFeedRow } from '../database/rows/calendars.js';
import type { FeedRows } from '../database/rows/results.js';
import type { Database } from '../database/rows/schema.js';
import { maySignIn } from './console-sessions.js';

/** A feed without the hash of its token. */
export type CalendarFeed = Omit<CalendarFeedRow, 'token_hash'>;

const feedColumns = ['id', 'label', 'has_details', 'artist_id', 'created_at'] as const;

/** Serializes changes, so that concurrent ones cannot exceed the limit of feeds. */
export async function lockCalendarFeeds(transaction: Transaction<Database>) {
  await sql`lock table calendar_feeds in share row exclusive mode`.execute(transaction);
}

export async function listFeeds(database: Kysely<Database>) {
  return database
    .selectFrom('calendar_feeds')
    .select(feedColumns)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

export async function insertFeed(
  transaction: Transaction<Database>,
  feed: Pick<CalendarFeedRow, 'token_hash' | 'label' | 'has_details' | 'artist_id'>,
) {
  return transaction
    .insertInto('calendar_feeds')
    .values({ ...feed, created_at: sql<Date>`booking_now()` })
    .returning(feedColumns)
    .executeTakeFirstOrThrow();
}

export async function updateFeedToken(
  transaction: Transaction<Database>,
  id: string,
  tokenHash: Buffer,
) {
  const row = await transaction
    .updateTable('calendar_feeds')
    .set({ token_hash: tokenHash })
    .where('id', '=', id)
    .returning(feedColumns)
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteFeed(transaction: Transaction<Database>, id: string) {
  const row = await transaction
    .deleteFrom('calendar_feeds')
    .where('id', '=', id)
    .returning(feedColumns)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The feed of a token, of its artist or of all, in one snapshot: the confirmed sessions from the date
 * `from` on, and the closures from then to the date `to`, in an artist's feed without the reasons of the
 * studio's. Null for an unknown token, and if the artist has left.
 */
export async function readFeed(
  database: Kysely<Database>,
  tokenHash: Buffer,
  { from, to }: { from: string; to: string },
) {
  const { rows } = await sql<FeedRows>`
    select has_details as "hasDetails",
      (select coalesce(
          json_agg(json_build_object(
            'id', id, 'date', date, 'sequence', sequence, 'timezone', timezone, 'name', name,
            'phone', case when feed.has_details then phone end,
            'artistName', case when feed.artist_id is null then artist_name end,
            'startsAtText', starts_at_text,
            'endsAt', floor(extract(epoch from ends_at) * 1000),
            'changedAt', floor(extract(epoch from greatest(confirmed_at, moved_at, changed_at)) * 1000)
          ) order by starts_at, id),
          '[]')
        from bookings
        where status = 'confirmed' and date >= ${from}
          and (feed.artist_id is null or artist_id = feed.artist_id)) as sessions,
      (select coalesce(
          json_agg(json_build_object(
            'id', id, 'fromDate', from_date, 'toDate', to_date, 'timeSlot', time_slot,
            'startsAt', floor(extract(epoch from starts_at) * 1000),
            'endsAt', floor(extract(epoch from ends_at) * 1000),
            'artistName', case when feed.artist_id is null
              then (select name from artists where artists.id = closures.artist_id) end,
            'artistId', coalesce(artist_id, feed.artist_id),
            'reason', case when feed.has_details
              and (feed.artist_id is null or artist_id = feed.artist_id) then reason end,
            'createdAt', floor(extract(epoch from created_at) * 1000)
          ) order by from_date, to_date, starts_at, id),
          '[]')
        from closures
        where to_date >= ${from} and from_date <= ${to}
          and (feed.artist_id is null or artist_id is null or artist_id = feed.artist_id)) as closures
    from calendar_feeds as feed where token_hash = ${tokenHash} and ${maySignIn}`.execute(database);
  return rows[0] ?? null;
}
