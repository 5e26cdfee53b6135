import { runMigrations as migrateQueues } from 'bullmq';
import {
  Kysely,
  type MigrationResultSet,
  Migrator,
  PostgresDialect,
  sql,
  type Transaction,
} from 'kysely';
import pg from 'pg';
import { StartError } from '../errors.js';
import { isOutdated } from '../platform/database-errors.js';
import type { Logger } from '../platform/log.js';
import { readPackage } from '../platform/package-root.js';
import { adoptDatabase, adoptedVersion, expectAdoptable, listApplied } from './adoption.js';
import { retryLockTimeouts } from './lock-retries.js';
import { migrations } from './migrations/index.js';
import { sessionOpener, type Connection } from './pool.js';
import type { Database } from './rows/schema.js';

const connectTimeoutMs = 5_000;
/**
 * The lock timeout of a migration, less than that of a request: while it waits for a table, all others
 * wait behind it, and may pass before the next attempt.
 */
const lockTimeoutMs = 1_000;

/** The table of a database to which a data folder has moved, until its folder is marked (`finishMove`). */
export const unfinishedMove = 'unfinished_move';

/**
 * Migrates the database to the newest schema, under Kysely's advisory lock: any number of processes
 * may start at once. Processes of the version before may run meanwhile, except while a database of 2.9 is
 * adopted. Returns the names of the migrations that ran; `log` gets a line where any are to run. Throws
 * `StartError` on a database of a newer version, or of one before 2.9.2.
 */
export async function migrateToLatest(connection: Connection, log?: Logger): Promise<string[]> {
  return retryLockTimeouts(() => migrateOnce(connection, log), log && { log });
}

async function migrateOnce(connection: Connection, log?: Logger): Promise<string[]> {
  return withMigrator(connection, async (migrator, { database, pool }) => {
    await refuseUnfinishedMove(database);
    const adopted = await adoptDatabase(database);
    if (adopted.length > 0) log?.info({ version: adoptedVersion }, 'the database was adopted');
    const known = await migrator.getMigrations();
    const missing = known.filter(({ executedAt }) => executedAt === undefined).length;
    if (missing > 0) log?.info({ migrations: missing }, 'migrating the database');
    const results = await migrator.migrateToLatest();
    // Kysely refuses migrations that it does not know.
    if (results.error !== undefined) await refuseNewerSchema(database);
    const ran = [...adopted, ...namesOf(results)];
    await requireVersion(database);
    // A transaction of several statements needs one connection.
    const client = await pool.connect();
    try {
      await migrateQueues(client, 'bullmq');
    } finally {
      client.release();
    }
    return ran;
  });
}

/** Migrates a database to an older schema: that of a backup. */
export async function migrateTo(connection: Connection, name: string): Promise<void> {
  await withMigrator(connection, async (migrator) => namesOf(await migrator.migrateTo(name)));
}

/** How a database's schema differs from this version's. */
export interface SchemaState {
  /** Whether it is a database of 2.9.2 that no start of this version has adopted yet. */
  isToAdopt: boolean;
  /** In their order. */
  applied: string[];
  missing: string[];
  /** Applied by a newer version. */
  unknown: string[];
}

/**
 * Reads a database of 2.9.2 as if it were adopted. Throws `StartError` on an older one, and on one to
 * which a move is not finished, unless `mayBeMoved`.
 */
export async function readSchemaState(
  connection: Connection,
  { mayBeMoved = false }: { mayBeMoved?: boolean } = {},
): Promise<SchemaState> {
  return withMigrator(connection, async (_migrator, { database }) => {
    if (!mayBeMoved) await refuseUnfinishedMove(database);
    return schemaStateOf(database);
  });
}

async function schemaStateOf(database: Kysely<unknown>): Promise<SchemaState> {
  const found = await listApplied(database);
  const applied = expectAdoptable(found);
  return {
    isToAdopt: found.join() !== applied.join(),
    applied,
    missing: Object.keys(migrations).filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !(name in migrations)),
  };
}

async function refuseNewerSchema(database: Kysely<unknown>): Promise<void> {
  const { unknown } = await schemaStateOf(database);
  if (unknown.length === 0) return;
  await requireVersion(database);
  throw new StartError(
    `A newer version of the service has migrated this database (${unknown.join(', ')}): start that version, or a newer one.`,
  );
}

async function refuseUnfinishedMove(database: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ table: string | null }>`
    select to_regclass(${unfinishedMove}) as "table"`.execute(database);
  if (rows[0]?.table === null) return;
  throw new StartError(
    'The move of a data folder to this database is not finished: run "studio restore --from" again, with that folder.',
  );
}

/** Lets services start on a database to which a folder has moved. */
export async function finishMove(transaction: Transaction<Database>): Promise<void> {
  await sql`drop table ${sql.table(unfinishedMove)}`.execute(transaction);
}

/** Throws `StartError` where this version is below the database's minimum. */
async function requireVersion(database: Kysely<unknown>): Promise<void> {
  const { version } = readPackage();
  try {
    await sql`select require_version(${version})`.execute(database);
  } catch (error) {
    if (!isOutdated(error)) throw error;
    throw new StartError(
      `This is version ${version}, and a newer one has changed the database: start version ${(error as pg.DatabaseError).detail} or a newer one.`,
      { cause: error },
    );
  }
}

/** Uses a pool of its own: a migration may take longer than a request's statement timeout. */
async function withMigrator<Result>(
  connection: Connection,
  work: (
    migrator: Migrator,
    handles: { database: Kysely<unknown>; pool: pg.Pool },
  ) => Promise<Result>,
): Promise<Result> {
  const pool = new pg.Pool({
    ...connection,
    max: 1,
    connectionTimeoutMillis: connectTimeoutMs,
    onConnect: sessionOpener({ lock_timeout: lockTimeoutMs }),
  });
  pool.on('error', () => undefined);
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({
      db: database,
      provider: { getMigrations: () => Promise.resolve(migrations) },
    });
    return await work(migrator, { database, pool });
  } finally {
    await database.destroy();
  }
}

function namesOf({ error, results = [] }: MigrationResultSet): string[] {
  if (error !== undefined) throw new Error('a migration failed', { cause: error });
  return results.map((result) => result.migrationName);
}
