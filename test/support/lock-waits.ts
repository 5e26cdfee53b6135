import { sql, type Kysely } from 'kysely';

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
