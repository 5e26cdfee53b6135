import { runMigrations as migrateQueues } from 'bullmq';
import { Kysely, Migrator, PostgresDialect } from 'kysely';
import pg from 'pg';
import { migrations } from './migrations/index.js';
import type { Connection } from './pool.js';

/**
 * Brings the database to the newest schema, under Kysely's advisory lock, so that any number of
 * processes may start at once. Returns the names of the migrations that ran.
 *
 * Opens a connection of its own: a migration may take longer than the statements of a request may.
 */
export async function migrateToLatest(connection: Connection): Promise<string[]> {
  const pool = new pg.Pool({ ...connection, max: 1 });
  pool.on('error', () => undefined);
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({
      db: database,
      provider: { getMigrations: () => Promise.resolve(migrations) },
    });
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error !== undefined) throw new Error('a migration failed', { cause: error });
    await migrateQueues(pool, 'bullmq');
    return results.map((result) => result.migrationName);
  } finally {
    await database.destroy();
  }
}
