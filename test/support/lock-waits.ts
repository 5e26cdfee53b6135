import { sql, type Kysely } from 'kysely';
import type pg from 'pg';

/**
 * How many sessions of the database wait for a lock. `pg_locks` also has the waits of the databases
 * of other test files.
 */
export async function lockWaits<Schema>(database: Kysely<Schema>): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database);
  return rows.length;
}

/** Resolves once as many sessions wait for a lock, or the work has ended without waiting. */
export async function untilLockWaits<Schema>(
  database: Kysely<Schema>,
  count: number,
  work?: Promise<unknown>,
): Promise<void> {
  let hasEnded = false;
  const end = () => void (hasEnded = true);
  work?.then(end, end);
  while (!hasEnded && (await lockWaits(database)) < count);
}

/** The sessions that `lockWaits` counts, also as seen by a transaction. */
export async function waitingSessions(client: pg.Client): Promise<{ pid: number }[]> {
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows;
}
