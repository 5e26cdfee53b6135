import { sql, type Kysely } from 'kysely';
import { onlyRow } from '../database/row-queries.js';
import type { Database } from '../database/rows/schema.js';

/** Rows of `installation` whose value is the date of a night. */
const carriedOutName = 'personal_data_erased_on';
const heldAfterName = 'deletions_held_after';

export interface NightRecords {
  timezone: string;
  /** The present by the database's clock. */
  now: Date;
  /** The last night whose deletions were carried out; null before the first. */
  carriedOut: string | null;
  /** The night after which deletions are held back, while they are. */
  heldAfter: string | null;
}

export async function readNightRecords(database: Kysely<Database>) {
  const valueOf = (name: string) => sql`(select value from installation where name = ${name})`;
  const { rows } = await sql<NightRecords>`
    select timezone, booking_now() as now,
      ${valueOf(carriedOutName)} as "carriedOut", ${valueOf(heldAfterName)} as "heldAfter"
    from studio`.execute(database);
  return onlyRow(rows);
}

/**
 * The instant of the newest event at least a day old; null without one. Younger ones have it from the
 * clock that is in question: a start with a wrong clock records lapsed holds at once.
 */
export async function readSettledInstant(database: Kysely<Database>): Promise<Date | null> {
  const { rows } = await sql<{ occurred_at: Date }>`
    select occurred_at from events
    where occurred_at <= (select booking_now() - interval '1 day')
    order by position desc limit 1`.execute(database);
  return rows[0]?.occurred_at ?? null;
}

/** Records that the deletions of a night were carried out, and that none are held back. */
export async function recordNight(database: Kysely<Database>, night: string) {
  await sql`
    with released as (delete from installation where name = ${heldAfterName})
    insert into installation (name, value) values (${carriedOutName}, ${night})
    on conflict (name) do update set value = excluded.value`.execute(database);
}

/** Records the last known night, after which deletions are held back. */
export async function recordHeldAfter(database: Kysely<Database>, night: string) {
  await sql`
    insert into installation (name, value) values (${heldAfterName}, ${night})
    on conflict (name) do update set value = excluded.value`.execute(database);
}
