import { sql, type Kysely, type Selectable, type Transaction, type Updateable } from 'kysely';
import type { TimeSlot } from '../../generated/schemas.js';
import type { Database } from '../database/rows/schema.js';

/** An artist with the sessions of their own week; null: the studio's. */
export type ArtistRecord = Selectable<Database['artists']> & {
  week: { weekday: number; sessions: TimeSlot[] }[] | null;
};

export type ArtistChange = Updateable<
  Pick<
    Database['artists'],
    | 'slug'
    | 'name'
    | 'about'
    | 'email'
    | 'position'
    | 'hidden_at'
    | 'first_day'
    | 'last_day'
    | 'is_new'
  >
>;

/** In the studio's order. */
export async function listArtists(database: Kysely<Database>) {
  const { rows } = await sql<ArtistRecord>`
    select artists.*, case when has_own_week then (
      select json_agg(json_build_object('weekday', weekday, 'sessions', array(
        select time_slot::text from artist_sessions
        where artist_id = artists.id and artist_sessions.weekday = opening_hours.weekday
        order by time_slot::text::time)) order by weekday)
      from opening_hours) end as week
    from artists order by position, id`.execute(database);
  return rows;
}

/** Adds an artist at the end of the order. The caller has the lock of `lockSlots`. */
export async function insertArtist(
  transaction: Transaction<Database>,
  artist: Pick<ArtistRecord, 'slug' | 'name' | 'about' | 'email'> & ArtistChange,
) {
  await transaction
    .insertInto('artists')
    .values({ ...artist, position: sql<number>`(select max(position) + 1 from artists)` })
    .execute();
}

/** Gives the watched calendars that exist to the first artist, when a second one is added. */
export async function giveCalendarsTo(transaction: Transaction<Database>, firstId: number) {
  await transaction
    .updateTable('watched_calendars')
    .set({ artist_id: firstId })
    .where('artist_id', 'is', null)
    .execute();
}

export async function updateArtist(
  transaction: Transaction<Database>,
  id: number,
  change: ArtistChange,
) {
  await transaction.updateTable('artists').set(change).where('id', '=', id).execute();
}

/** Gives the live bookings of an artist their name, without a mail. */
export async function nameInBookings(transaction: Transaction<Database>, id: number, name: string) {
  await sql`
    update bookings set artist_name = ${name}::text,
      label = left(label, length(label) - length(coalesce(' with ' || artist_name, '')))
        || ' with ' || ${name}::text
    where artist_id = ${id} and status in ('pending', 'confirmed')`.execute(transaction);
}

/** Gives an artist a week of their own, or the studio's (null). */
export async function replaceArtistWeek(
  transaction: Transaction<Database>,
  id: number,
  week: ArtistRecord['week'],
) {
  await transaction
    .updateTable('artists')
    .set({ has_own_week: week !== null })
    .where('id', '=', id)
    .execute();
  await transaction.deleteFrom('artist_sessions').where('artist_id', '=', id).execute();
  const sessions = (week ?? []).flatMap((day) =>
    day.sessions.map((time_slot) => ({ artist_id: id, weekday: day.weekday, time_slot })),
  );
  if (sessions.length > 0) {
    await transaction.insertInto('artist_sessions').values(sessions).execute();
  }
}
