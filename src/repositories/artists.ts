import { sql, type Kysely, type Selectable, type Transaction, type Updateable } from 'kysely';
import type { DatedDayRow, DayRow } from '../database/rows/results.js';
import type { Database } from '../database/rows/schema.js';

/** An artist with the days that are their own; the studio's are those of the others. */
export type ArtistRecord = Selectable<Database['artists']> & {
  /** Of every week; null without one. */
  week: DayRow[] | null;
  /** That count from one date to another, and are not over for two days. */
  dated: DatedDayRow[];
};

export type ArtistChange = Omit<Updateable<Database['artists']>, 'id'>;

/** In the studio's order. */
export async function listArtists(database: Kysely<Database>) {
  const day = sql`jsonb_build_object(
    'weekday', weekday, 'opens', opens, 'closes', closes, 'sessions', sessions)`;
  const { rows } = await sql<ArtistRecord>`
    select artists.*,
      (select json_agg(${day} order by weekday) from week_days
        where artist_id = artists.id and from_date is null) as week,
      coalesce((
        select json_agg(${day} || jsonb_build_object('from_date', from_date, 'to_date', to_date)
          order by from_date, weekday)
        from week_days
        where artist_id = artists.id and to_date >= booking_now()::date - 2), '[]') as dated
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
