import type { Kysely, Transaction } from 'kysely';
import type { DatedDayRow, DayRow, WeekDates } from '../database/rows/results.js';
import type { Database } from '../database/rows/schema.js';

type NewDay = DayRow & Partial<DatedDayRow>;

/** The days of one owner, an artist or the studio (null). */
function ofOwner(database: Kysely<Database>, artistId: number | null) {
  return database
    .selectFrom('week_days')
    .select(['weekday', 'from_date', 'to_date', 'opens', 'closes', 'sessions'])
    .where('artist_id', 'is not distinct from', artistId)
    .orderBy('from_date')
    .orderBy('weekday');
}

/** The studio's week that goes on: the seven days, Monday first. */
export async function readWeek(database: Kysely<Database>): Promise<DayRow[]> {
  const rows = await ofOwner(database, null).where('from_date', 'is', null).execute();
  return rows.map(({ from_date: _from, to_date: _to, ...day }) => day);
}

/** The days that count from one date to another and are not over on the date `from`. */
export async function listDatedDays(
  database: Kysely<Database>,
  artistId: number | null,
  from: string,
): Promise<DatedDayRow[]> {
  const query = ofOwner(database, artistId).where('to_date', '>=', from);
  return (await query.execute()) as DatedDayRow[];
}

/** Replaces the day of the same weekday and dates. */
export async function replaceDay(
  transaction: Transaction<Database>,
  { weekday, opens, closes, sessions, from_date, to_date }: NewDay,
  artistId: number | null = null,
) {
  await deleteDay(
    transaction,
    artistId,
    weekday,
    from_date === undefined || to_date === undefined ? null : { from: from_date, to: to_date },
  );
  const day = { artist_id: artistId, weekday, from_date, to_date, opens, closes };
  await transaction
    .insertInto('week_days')
    .values({ ...day, sessions })
    .execute();
}

/** Deletes a day of these dates; null: of the week that goes on. */
export async function deleteDay(
  transaction: Transaction<Database>,
  artistId: number | null,
  weekday: number,
  dates: WeekDates | null,
) {
  await transaction
    .deleteFrom('week_days')
    .where('artist_id', 'is not distinct from', artistId)
    .where('weekday', '=', weekday)
    .where('from_date', 'is not distinct from', dates?.from ?? null)
    .where('to_date', 'is not distinct from', dates?.to ?? null)
    .execute();
}
