import { sql, type Kysely, type Transaction, type Updateable } from 'kysely';
import type { TimeSlot } from '../../generated/schemas.js';
import type { Database } from '../database/schema.js';

export type StudioChanges = Omit<Updateable<Database['studio']>, 'id' | 'address_from'>;

/** The opening hours and sessions of a weekday. */
export interface DayRow {
  /** ISO 8601: 1 is Monday, 7 is Sunday. */
  weekday: number;
  /** `HH:MM`; both null when closed. */
  opens: string | null;
  closes: string | null;
  sessions: TimeSlot[];
}

export async function readStudio(database: Kysely<Database>) {
  return database.selectFrom('studio').selectAll().executeTakeFirstOrThrow();
}

/** The opening hours of the week. */
export async function readOpeningHours(database: Kysely<Database>) {
  return database.selectFrom('opening_hours').selectAll().execute();
}

/** Reads the studio and locks its row until the end of the transaction. */
export async function lockStudio(transaction: Transaction<Database>) {
  return transaction.selectFrom('studio').selectAll().forUpdate().executeTakeFirstOrThrow();
}

export async function updateStudio(transaction: Transaction<Database>, changes: StudioChanges) {
  return transaction.updateTable('studio').set(changes).returningAll().executeTakeFirstOrThrow();
}

/** The seven days, Monday first. */
export async function readWeek(database: Kysely<Database>) {
  const { rows } = await sql<DayRow>`
    select weekday, opens, closes, array(
      select time_slot::text from weekly_sessions
      where weekly_sessions.weekday = opening_hours.weekday
      order by time_slot::text::time
    ) as sessions
    from opening_hours order by weekday`.execute(database);
  return rows;
}

export async function replaceDay(transaction: Transaction<Database>, day: DayRow) {
  const { weekday, opens, closes, sessions } = day;
  await transaction
    .updateTable('opening_hours')
    .set({ opens, closes })
    .where('weekday', '=', weekday)
    .execute();
  await transaction.deleteFrom('weekly_sessions').where('weekday', '=', weekday).execute();
  if (sessions.length === 0) return;
  await transaction
    .insertInto('weekly_sessions')
    .values(sessions.map((time_slot) => ({ weekday, time_slot })))
    .execute();
}
