import { sql, type Kysely, type RawBuilder, type SqlBool, type Transaction } from 'kysely';
import type { DaySessions } from '../database/rows/results.js';
import type { Database } from '../database/rows/schema.js';

/**
 * Whether the week has a session on a date, or it is opened on that date. `artists`: the table expression
 * with the artist whose week counts. The day that decides is that of `daysFor` (`schedule/weeks.ts`).
 */
export function hasSession(
  date: RawBuilder<unknown>,
  timeSlot: RawBuilder<unknown>,
  artists: string,
): RawBuilder<SqlBool> {
  return sql`((
    select ${timeSlot} = any (sessions) from week_days
    where weekday = extract(isodow from ${date}) and (from_date is null or ${date} between from_date and to_date)
      and (week_days.artist_id is null or week_days.artist_id = ${sql.ref(`${artists}.id`)})
    order by week_days.artist_id, from_date
    limit 1
  ) or exists (
    select from openings where openings.date = ${date} and openings.time_slot = ${timeSlot}
  ))`;
}

/** None of the sessions may be opened already. */
export async function insertOpenings(
  transaction: Transaction<Database>,
  { date, sessions }: DaySessions,
) {
  await transaction
    .insertInto('openings')
    .values(
      sessions.map((time_slot) => ({ date, time_slot, created_at: sql<Date>`booking_now()` })),
    )
    .execute();
}

/** Resolves with the sessions that were opened, in no particular order. */
export async function deleteOpenings(
  transaction: Transaction<Database>,
  { date, sessions }: DaySessions,
) {
  const rows = await transaction
    .deleteFrom('openings')
    .where('date', '=', date)
    .where('time_slot', 'in', sessions)
    .returning('time_slot')
    .execute();
  return rows.map(({ time_slot }) => time_slot);
}

/** The opened sessions of the date `from` and later, by date. */
export async function listOpenings(database: Kysely<Database>, from: string) {
  const { rows } = await sql<DaySessions>`
    select date, array_agg(time_slot::text order by time_slot::text::time) as sessions
    from openings where date >= ${from} group by date order by date`.execute(database);
  return rows;
}
