import { pipeline } from 'node:stream/promises';
import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { isDatabaseUnavailable } from '../platform/database-errors.js';
import { BackupError, type BackupTable } from './backup/format.js';
import { countLines } from './backup/reader.js';
import { adjustSequences, emptyTables, requireUnused, rowProblem } from './backup/restore.js';
import { copyTarget, describeTables } from './backup/tables.js';
import type { Progress } from './backup/write.js';
import { unfinishedMove } from './migrate.js';
import { onlyRow } from './row-queries.js';
import type { Database } from './rows/schema.js';

const advice = 'name an empty one';
const lockTimeoutMs = 10_000;
const noRows = '0 0';
/** Timeouts of a server that limit a move; some exist in newer servers only. */
const serverTimeouts = [
  'statement_timeout',
  'transaction_timeout',
  'idle_in_transaction_session_timeout',
  'idle_session_timeout',
];

/** The work of a move. */
export interface MovePlan {
  /** The source's tables, each after those that it references. */
  tables: BackupTable[];
  /** The tables that an earlier run has copied, with their checksums; null if there was none. */
  copied: Map<string, string> | null;
  /** Whether the source has changed since: everything is copied anew. */
  isOutdated: boolean;
}

/**
 * Prepares the connections for a move: the source shows one instant, rows have the same text on both
 * servers, and the target admits one move at a time, until its connection ends. A killed run may
 * still be committing its last table.
 */
export async function openMove(source: pg.Client, target: pg.Client): Promise<void> {
  for (const client of [source, target]) {
    await client.query(`set datestyle to 'iso'; set timezone to 'UTC'; set bytea_output to 'hex';
      set extra_float_digits to 1`);
    await client.query(
      `select set_config(name, '0', false) from pg_settings where name = any ($1)`,
      [serverTimeouts],
    );
  }
  await source.query('begin transaction isolation level repeatable read, read only');
  await target.query(`set lock_timeout to ${lockTimeoutMs}`);
  await target.query('select pg_advisory_lock(hashtext($1))', [unfinishedMove]);
}

/** Whether a move to that database has begun, and is not finished. */
export async function hasUnfinishedMove(target: pg.Client): Promise<boolean> {
  const { rows } = await target.query('select where to_regclass($1) is not null', [unfinishedMove]);
  return rows.length > 0;
}

/** Throws `BackupError` unless the target is unused, or has a part of a move of this source only. */
export async function planMove(source: pg.Client, target: pg.Client): Promise<MovePlan> {
  const tables = await describeTables(source);
  if (!(await hasUnfinishedMove(target))) {
    requireUnused(await describeTables(target), advice);
    return { tables, copied: null, isOutdated: false };
  }
  const { rows } = await target.query<{ name: string; value: string }>(`table ${unfinishedMove}`);
  const recorded = new Map(rows.map(({ name, value }) => [name, value]));
  if (recorded.get('source') !== (await identify(source))) {
    throw new BackupError(`The database has a part of another folder's data: ${advice}.`);
  }
  const copied = new Map<string, string>();
  let isOutdated = false;
  for (const table of tables) {
    const sum = recorded.get(table.name);
    if ((await checksum(target, table)) !== (sum ?? noRows)) {
      throw new BackupError(
        `Something else has changed ${table.name} of the database since the move began: ${advice}.`,
      );
    }
    if (sum === undefined) continue;
    copied.set(table.name, sum);
    if (sum !== (await checksum(source, table))) isOutdated = true;
  }
  return { tables, copied, isOutdated };
}

/**
 * Copies each table that an earlier run has not, in a transaction of its own, and compares all rows
 * of both servers. The triggers of the target stay disabled until `finishMove`. Returns the checksums.
 * Throws `BackupError` where the target has other rows than the source.
 */
export async function copyTables(
  source: pg.Client,
  target: pg.Client,
  { tables, copied, isOutdated }: MovePlan,
  progress: Progress,
  signal: AbortSignal,
  onCopied: (table: BackupTable) => void,
): Promise<Map<string, string>> {
  const isNew = copied === null || isOutdated;
  const sums = new Map(isNew ? [] : copied);
  if (isNew) await beginMove(source, target, tables, isOutdated);
  progress.total(tables.reduce((sum, { rows }) => sum + rows, 0));
  for (const table of tables) {
    if (sums.has(table.name)) {
      progress.advance(table.rows);
      continue;
    }
    const sum = await checksum(source, table);
    await target.query('begin');
    await copyRows(source, target, table, progress, signal);
    await target.query(`insert into ${unfinishedMove} values ($1, $2)`, [table.name, sum]);
    await target.query('commit');
    sums.set(table.name, sum);
    onCopied(table);
  }
  await adjustSequences(target, tables);
  for (const table of tables) {
    signal.throwIfAborted();
    if ((await checksum(target, table)) === sums.get(table.name)) continue;
    throw new BackupError(`${table.name} has other rows on the server than in the folder.`);
  }
  return sums;
}

/** Makes the target a database that a service may use, in the transaction that records the move. */
export async function finishMove(
  transaction: Transaction<Database>,
  { tables }: MovePlan,
): Promise<void> {
  for (const { name } of tables) {
    await sql`alter table ${sql.table(name)} enable trigger user`.execute(transaction);
  }
  await sql`drop table ${sql.table(unfinishedMove)}`.execute(transaction);
}

async function beginMove(
  source: pg.Client,
  target: pg.Client,
  tables: readonly BackupTable[],
  isOutdated: boolean,
): Promise<void> {
  await target.query('begin');
  if (isOutdated) {
    const names = tables.map(({ name }) => pg.escapeIdentifier(name));
    await target.query(`truncate ${[...names, unfinishedMove].join(', ')}`);
  }
  await emptyTables(target, tables, advice);
  await target.query(
    `create table if not exists ${unfinishedMove} (name text primary key, value text not null)`,
  );
  await target.query(`insert into ${unfinishedMove} values ('source', $1)`, [
    await identify(source),
  ]);
  await target.query('commit');
}

async function copyRows(
  source: pg.Client,
  target: pg.Client,
  table: BackupTable,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const rows = source.query(copyTo(`copy ${copyTarget(table)} to stdout`));
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      yield chunk;
      progress.advance(countLines(chunk));
    }
  };
  const copy = target.query(copyFrom(`copy ${copyTarget(table)} from stdin`));
  try {
    await pipeline(rows, counted, copy, { signal });
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? (error.code ?? '') : null;
    if (code === null || isDatabaseUnavailable(error)) throw error;
    // PostgreSQL's own message quotes personal data.
    throw new BackupError(
      `A row of ${table.name} cannot be copied: ${rowProblem(code)}. The folder is as it was.`,
    );
  }
}

/** The number of the rows, and the sum of their hashes, which is the same in any order. */
async function checksum(client: pg.Client, { name, columns }: BackupTable): Promise<string> {
  const row = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const { rows } = await client.query<{ sum: string }>(
    `select count(*) || ' ' || coalesce(sum(('x' || left(hash, 16))::bit(64)::bigint::numeric), 0) as sum
      from (
        select encode(sha256(convert_to(row(${row})::text, 'UTF8')), 'hex') as hash
        from ${pg.escapeIdentifier(name)}
      ) as hashed`,
  );
  return onlyRow(rows).sum;
}

/** Identifies the database of a data folder, wherever the folder lies. */
async function identify(source: pg.Client): Promise<string> {
  const { rows } = await source.query<{ id: string }>(
    'select system_identifier::text as id from pg_control_system()',
  );
  return onlyRow(rows).id;
}
