import { sql, type Kysely } from 'kysely';
import type { Database } from '../database/schema.js';

/** A look that is later than the one before by this much begins another visit. */
const visitPauseMinutes = 30;
const visitDays = 90;

/**
 * Records that somebody looks at the first page of the console. Resolves with the latest look of their
 * visit before, or null. Those of 90 days ago are deleted.
 */
export async function recordVisit(database: Kysely<Database>, name: string) {
  await sql`
    delete from console_visits
    where seen_at < booking_now() - make_interval(days => ${visitDays})`.execute(database);
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

/** The same without recording a look. */
export async function findVisitBefore(database: Kysely<Database>, name: string) {
  const visit = await database
    .selectFrom('console_visits')
    .select('before_at')
    .where('name', '=', name)
    .executeTakeFirst();
  return visit?.before_at ?? null;
}
