import pg from 'pg';
import { unfinishedMove } from '../migrate.js';
import { onlyRow } from '../row-queries.js';
import { BackupError, type BackupTable } from './format.js';

/**
 * A move: the restore of a data folder, which is not used after it. From the commit of the rows until the
 * folder is marked and `finishMove`, a table in the target says so: nothing starts on it.
 */

/** Whether the database has all rows of a move that is not finished. */
export async function hasUnfinishedMove(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select where to_regclass($1) is not null', [unfinishedMove]);
  return rows.length > 0;
}

/** Whether it has those of this folder's database, and nothing else has changed them. */
export async function isOwnMove(
  target: pg.Client,
  source: pg.Client,
  tables: readonly BackupTable[],
): Promise<boolean> {
  if (!(await hasUnfinishedMove(target))) return false;
  const { rows } = await target.query<{ rows: string }>(`table ${unfinishedMove}`);
  return onlyRow(rows).rows === (await describeMove(source, await checksums(target, tables)));
}

/**
 * Compares all rows of both databases, and records the move in the target. Returns the checksums. Throws
 * `BackupError` where they differ.
 */
export async function recordMove(
  target: pg.Client,
  source: pg.Client,
  tables: readonly BackupTable[],
): Promise<Record<string, string>> {
  const sums = await checksums(source, tables);
  const copied = await checksums(target, tables);
  for (const [table, sum] of Object.entries(sums)) {
    if (copied[table] === sum) continue;
    throw new BackupError(`${table} has other rows in the new database than in the folder.`);
  }
  await target.query(`drop table if exists ${unfinishedMove}`);
  await target.query(`create table ${unfinishedMove} (rows text not null)`);
  await target.query(`insert into ${unfinishedMove} values ($1)`, [
    await describeMove(source, sums),
  ]);
  return sums;
}

/** By table, the number of the rows, and the sum of their hashes, which is the same in any order. */
async function checksums(
  client: pg.Client,
  tables: readonly BackupTable[],
): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const { name, columns } of tables) {
    const row = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    const { rows } = await client.query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(sum(('x' || left(hash, 16))::bit(64)::bigint::numeric), 0) as sum
        from (
          select encode(sha256(convert_to(row(${row})::text, 'UTF8')), 'hex') as hash
          from ${pg.escapeIdentifier(name)}
        ) as hashed`,
    );
    sums[name] = onlyRow(rows).sum;
  }
  return sums;
}

/** Which database, wherever its folder lies, and which rows of it. */
async function describeMove(source: pg.Client, sums: Record<string, string>): Promise<string> {
  const { rows } = await source.query<{ id: string }>(
    'select system_identifier::text as id from pg_control_system()',
  );
  return JSON.stringify([onlyRow(rows).id, sums]);
}
