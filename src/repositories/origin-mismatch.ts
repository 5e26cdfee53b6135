import { sql, type Kysely } from 'kysely';
import type { Database } from '../database/schema.js';

const name = 'origin_mismatch';
/** Whether the row, `<seconds since the epoch> <origin>`, is at most that many seconds old. */
const isWithin = (seconds: number) =>
  sql`split_part(installation.value, ' ', 1)::numeric > extract(epoch from booking_now()) - ${seconds}::int`;

/** Returns false, and changes nothing, if one was recorded within the last hour. */
export async function recordOriginMismatch(
  database: Kysely<Database>,
  origin: string,
): Promise<boolean> {
  const { rows } = await sql`
    insert into installation (name, value)
    values (${name}, extract(epoch from booking_now()) || ' ' || ${origin})
    on conflict (name) do update set value = excluded.value where not ${isWithin(3_600)}
    returning name`.execute(database);
  return rows.length > 0;
}

/** The origin that was recorded last, within 24 hours, or null. */
export async function readOriginMismatch(database: Kysely<Database>): Promise<string | null> {
  const { rows } = await sql<{ origin: string }>`
    select split_part(value, ' ', 2) as origin from installation
    where name = ${name} and ${isWithin(86_400)}`.execute(database);
  return rows[0]?.origin ?? null;
}
