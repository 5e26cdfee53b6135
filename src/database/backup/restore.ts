import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { withClient } from '../client.js';
import { migrateTo, migrateToLatest, readSchemaState } from '../migrate.js';
import type { Connection } from '../pool.js';
import {
  BackupError,
  countLines,
  type BackupHeader,
  type BackupReader,
  type BackupTable,
} from './format.js';
import { copyTarget, describeTables } from './tables.js';
import type { Progress } from './write.js';

/** What a start writes into a new database: a restore replaces it. */
const seededTables = ['studio', 'opening_hours', 'weekly_sessions', 'installation'];

/**
 * Brings every row of a backup into a database that holds nothing but what a start writes: all of
 * it in one transaction, or nothing. The database is migrated to the schema of the backup before,
 * and to the newest afterwards. Throws `BackupError` where backup and database do not fit.
 */
export async function restoreBackup(
  connection: Connection,
  backup: BackupReader,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  await prepareSchema(connection, backup.header);
  await withClient(connection, async (client) => {
    await client.query('begin');
    const names = backup.header.tables.map(({ name }) => name);
    const tables = await describeTables(client, names);
    await emptyTables(client, tables);
    progress.total(backup.header.tables.reduce((sum, { rows }) => sum + rows, 0));
    for (const table of backup.header.tables) {
      if (!tables.some(({ name }) => name === table.name)) {
        throw new BackupError(`The backup has a table ${table.name}, which this version has not.`);
      }
      await copyIn(client, table, countRows(backup.nextRows(), progress), signal);
    }
    await adjustSequences(client, tables);
    for (const { name } of tables) {
      await client.query(`alter table ${pg.escapeIdentifier(name)} enable trigger user`);
    }
    await client.query('commit');
  });
  await migrateToLatest(connection);
}

async function prepareSchema(connection: Connection, header: BackupHeader): Promise<void> {
  const { applied, missing } = await readSchemaState(connection);
  const known = [...applied, ...missing];
  const strange = header.migrations.filter((name) => !known.includes(name));
  if (strange.length > 0) {
    throw new BackupError(
      `The backup is of a newer version of the service (${strange.join(', ')}): restore it with that version.`,
    );
  }
  if (applied.length === 0) {
    const newest = header.migrations.at(-1);
    if (newest !== undefined) await migrateTo(connection, newest);
  } else if (applied.join() !== header.migrations.join()) {
    throw new BackupError(
      'The backup is of another version than the database: restore it into a new folder (DATA_DIR) or a new database.',
    );
  }
}

/** Nobody sees the tables until the end; triggers would announce every row as news. */
async function emptyTables(client: pg.Client, tables: readonly BackupTable[]): Promise<void> {
  const names = tables.map(({ name }) => pg.escapeIdentifier(name));
  await client.query(`lock table ${names.join(', ')} in access exclusive mode`);
  for (const { name, rows } of await describeTables(
    client,
    tables.map(({ name }) => name),
  )) {
    if (rows > 0 && !seededTables.includes(name)) {
      throw new BackupError(
        `The database is in use (${rows} in ${name}): restore into a new folder (DATA_DIR) or a new database.`,
      );
    }
  }
  await client.query(`truncate ${names.join(', ')}`);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
}

async function copyIn(
  client: pg.Client,
  table: BackupTable,
  rows: AsyncGenerator<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  const target = client.query(copyFrom(`copy ${copyTarget(table)} from stdin`));
  await pipeline(rows, target, { signal });
  if (target.rowCount !== table.rows) {
    throw new BackupError(
      `The backup promises ${table.rows} rows of ${table.name} and has ${target.rowCount}: it is not whole.`,
    );
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

/** New rows get numbers after those that were restored. */
async function adjustSequences(client: pg.Client, tables: readonly BackupTable[]): Promise<void> {
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
