import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { isDatabaseUnavailable } from '../../platform/database-errors.js';
import { adoptedVersion, byBaseline } from '../adoption.js';
import { withClient } from '../client.js';
import { migrateTo, migrateToLatest, readSchemaState } from '../migrate.js';
import type { Connection } from '../pool.js';
import { BackupError, type BackupTable, rowsOf } from './format.js';
import { isOwnMove, recordMove } from './moved.js';
import { type BackupReader, countLines } from './reader.js';
import { copyTarget, describeTables, prepareSession } from './tables.js';
import { dropVoided, type RestoreEffects } from './voided.js';
import { type Grant, listGrants } from './withdrawn.js';
import type { Progress } from './write.js';

/** The tables that a first start fills; a restore replaces their rows. */
const seededTables = [
  'studio',
  'week_days',
  // Of versions before 3.1.
  'opening_hours',
  'weekly_sessions',
  'artists',
  'installation',
  'zone_data',
];

export interface RestoreOptions {
  progress: Progress;
  signal: AbortSignal;
  reminderHours: number;
  /** Approves the grants of the backup; nothing is restored if it throws. */
  approve: (grants: Grant[]) => Promise<void>;
  /** The database of a stopped folder that is moved, of which `backup` has the rows; else null. */
  moved: pg.Client | null;
}

export interface Restored {
  /** Null after a move, which drops nothing. */
  effects: RestoreEffects | null;
  /** By table; null where there was no other database to compare with. */
  checksums: Record<string, string> | null;
}

const lockTimeoutMs = 10_000;
const advice = 'restore into a new folder (DATA_DIR) or a new database';

/**
 * Restores every row of a backup, in one transaction, into a database that has nothing but what a
 * first start writes. The database is migrated to the backup's schema before, and to the newest afterwards.
 * Of a file, mails that are due by now, codes, and the links and sessions of the console are dropped, and
 * watched calendars are fetched anew: its original may have lived on. A folder's rows stay as they are and
 * are compared; nothing starts on the database before `finishMove`. Throws `BackupError` where the backup
 * does not fit the database.
 */
export async function restoreBackup(
  connection: Connection,
  backup: BackupReader,
  { progress, signal, reminderHours, approve, moved }: RestoreOptions,
): Promise<Restored> {
  await prepareSchema(connection, backup, moved !== null);
  const restored = await withClient(connection, async (client) => {
    await prepareSession(client);
    // A killed restore may still hold them.
    await client.query(`set lock_timeout to ${lockTimeoutMs}; begin`);
    const names = backup.header.tables.map(({ name }) => name);
    const tables = await describeTables(client, names);
    requireSameColumns(backup, tables);
    await emptyTables(client, tables, moved);
    progress.total(rowsOf(backup.header));
    for (const table of backup.header.tables) {
      await copyIn(client, backup, table, progress, signal);
    }
    await backup.end();
    try {
      await adjustSequences(client, tables);
    } catch (error) {
      throw explainCopyError(error, backup, 1);
    }
    signal.throwIfAborted();
    let done: Restored;
    if (moved === null) {
      await approve(await listGrants(client));
      done = { effects: await dropVoided(client, reminderHours), checksums: null };
    } else {
      done = { effects: null, checksums: await recordMove(client, moved, tables) };
    }
    signal.throwIfAborted();
    for (const { name } of tables) {
      await client.query(`alter table ${pg.escapeIdentifier(name)} enable trigger user`);
    }
    await client.query('commit');
    return done;
  });
  if (moved === null) await migrateToLatest(connection);
  return restored;
}

/** A backup of 2.9.2 has the schema of the baseline. */
async function prepareSchema(
  connection: Connection,
  backup: BackupReader,
  mayBeMoved: boolean,
): Promise<void> {
  const { applied, missing } = await readSchemaState(connection, { mayBeMoved });
  const known = [...applied, ...missing];
  const names = byBaseline(backup.header.migrations);
  if (names === null) {
    throw new BackupError(
      `The backup is of a version before ${adoptedVersion}: restore it with ${adoptedVersion}, make a backup there ("studio backup"), and restore that one here.`,
    );
  }
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new BackupError(
      `The backup is of a newer version of the service (${unknown.join(', ')}): restore it with that version.`,
    );
  }
  if (applied.length === 0) {
    const newest = names.at(-1);
    if (newest === undefined || names.join() !== known.slice(0, known.indexOf(newest) + 1).join()) {
      throw backup.errorAt(1, 'no version of the service has these migrations');
    }
    await migrateTo(connection, newest);
  } else if (applied.join() !== names.join()) {
    throw new BackupError(`The backup is of another version than the database: ${advice}.`);
  }
}

function requireSameColumns(backup: BackupReader, tables: readonly BackupTable[]): void {
  const shape = ({ name, columns }: BackupTable) => `${name}: ${columns.toSorted().join()}`;
  const [found, expected] = [backup.header.tables, tables].map((each) => each.map(shape).sort());
  if (found?.join('\n') !== expected?.join('\n')) {
    throw backup.errorAt(1, 'the tables and columns are not those of its version');
  }
}

/**
 * Locks the tables until the end of the transaction and empties them. Throws `BackupError` where one has
 * rows that no first start writes, unless a move of the same folder has written them. Their triggers are disabled:
 * they would notify listeners of every row.
 */
async function emptyTables(
  client: pg.Client,
  tables: readonly BackupTable[],
  moved: pg.Client | null,
): Promise<void> {
  const names = tables.map(({ name }) => pg.escapeIdentifier(name));
  await client.query(`lock table ${names.join(', ')} in access exclusive mode`);
  const others = tables.map(({ name }) => name);
  const found = await describeTables(client, others);
  const used = found.find(({ name, rows }) => rows > 0 && !seededTables.includes(name));
  if (used !== undefined && !(moved !== null && (await isOwnMove(client, moved, tables)))) {
    throw new BackupError(`The database is in use (${used.rows} in ${used.name}): ${advice}.`);
  }
  await client.query(`truncate ${names.join(', ')}`);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
}

async function copyIn(
  client: pg.Client,
  backup: BackupReader,
  table: BackupTable,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const firstLine = backup.line() + 1;
  const rows = countRows(backup.nextRows(table), progress);
  const target = client.query(copyFrom(`copy ${copyTarget(table)} from stdin`));
  try {
    await pipeline(rows, target, { signal });
  } catch (error) {
    throw explainCopyError(error, backup, firstLine);
  }
}

async function* countRows(
  rows: AsyncGenerator<Buffer>,
  progress: Progress,
): AsyncGenerator<Buffer> {
  for await (const lines of rows) {
    yield lines;
    progress.advance(countLines(lines));
  }
}

/** Sets every sequence after the highest number in its table. @internal */
export async function adjustSequences(
  client: pg.Client,
  tables: readonly BackupTable[],
): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select relname as table, attname as column,
        pg_get_serial_sequence(quote_ident(relname), attname) as sequence
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where attidentity <> '' and relname = any ($1)
        and relnamespace = current_schema()::regnamespace`,
    [tables.map(({ name }) => name)],
  );
  for (const { table, column, sequence } of rows) {
    const newest = `select coalesce(max(${pg.escapeIdentifier(column)}), 0) + 1 from ${pg.escapeIdentifier(table)}`;
    await client.query(`select setval($1, (${newest}), false)`, [sequence]);
  }
}

/** By SQLSTATE, or its first two characters (PostgreSQL, Appendix A). */
const problems: Record<string, string> = {
  '22P04': 'the row does not have the columns of its table',
  '22': 'a value does not have the type of its column',
  '23502': 'the row lacks a required value',
  '23503': 'the row references a row that is not in the backup',
  '23505': 'the row duplicates an earlier one',
  '23': 'the row violates a constraint of its table',
};

/** Why a row is rejected, without PostgreSQL's own words. */
function rowProblem(code: string): string {
  return problems[code] ?? problems[code.slice(0, 2)] ?? `PostgreSQL rejects the row (${code})`;
}

/**
 * Turns PostgreSQL's error for a rejected row into a sentence with the row's line: PostgreSQL's own
 * message quotes personal data. Returns other errors as they are.
 */
function explainCopyError(error: unknown, backup: BackupReader, firstLine: number): unknown {
  if (!(error instanceof pg.DatabaseError) || isDatabaseUnavailable(error)) return error;
  const { code = '', where = '' } = error;
  const problem = rowProblem(code);
  // COPY counts from its first row. Foreign keys are checked after its last row, without a line.
  const [, row] = /^COPY \w+, line (\d+)/.exec(where) ?? [];
  return row === undefined
    ? backup.errorAt(firstLine, `in this or a later line, ${problem}`)
    : backup.errorAt(firstLine + Number(row) - 1, problem);
}
