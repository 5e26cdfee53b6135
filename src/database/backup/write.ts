import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { withClient } from '../client.js';
import { readSchemaState } from '../migrate.js';
import type { Connection } from '../pool.js';
import { onlyRow } from '../row-queries.js';
import {
  BackupError,
  backupFormat,
  endOfRows,
  type BackupHeader,
  type BackupTable,
  rowsOf,
} from './format.js';
import { countLines } from './reader.js';
import { copyTarget, describeTables, prepareSession } from './tables.js';

/** Receives the total number of rows, and then the number of each chunk that is done. */
export interface Progress {
  total(rows: number): void;
  advance(rows: number): void;
}

/**
 * Writes every row of the service's tables, as of one snapshot, to a new file that only its owner
 * may read. The file is written under a temporary name and linked when it is complete. Throws
 * `BackupError` where the file exists.
 */
export async function writeBackup(
  connection: Connection,
  path: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<BackupHeader> {
  const { applied } = await readSchemaState(connection);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const header = await withClient(connection, async (client) => {
      await prepareSession(client);
      await client.query('begin transaction isolation level repeatable read, read only');
      const head = await createHeader(client, applied);
      progress.total(rowsOf(head));
      const file = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(() => content(client, head, progress), createGzip(), file, { signal });
      return head;
    });
    await link(draft, path);
    return header;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new BackupError(`${path} exists already: name a new file.`);
  } finally {
    await rm(draft, { force: true });
  }
}

/** The unpacked bytes of a backup of a database as it is now, over a client that nothing else uses meanwhile. */
export async function* readFolder(
  connection: Connection,
  client: pg.Client,
): AsyncGenerator<Buffer> {
  const { applied } = await readSchemaState(connection);
  await prepareSession(client);
  await client.query('begin transaction isolation level repeatable read, read only');
  yield* content(client, await createHeader(client, applied));
}

async function createHeader(client: pg.Client, migrations: string[]): Promise<BackupHeader> {
  const { rows } = await client.query<{ createdAt: Date; secretKeyId: string | null }>(
    `select booking_now() as "createdAt",
      (select value from installation where name = 'secret_key_id') as "secretKeyId"`,
  );
  const { createdAt, secretKeyId } = onlyRow(rows);
  return {
    format: backupFormat,
    createdAt: createdAt.toISOString(),
    migrations,
    secretKeyId,
    tables: await describeTables(client),
  };
}

async function* content(
  client: pg.Client,
  header: BackupHeader,
  progress?: Progress,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(header)}\n`);
  for (const table of header.tables) {
    for await (const chunk of copyOut(client, table)) {
      yield chunk;
      progress?.advance(countLines(chunk));
    }
    yield Buffer.from(endOfRows);
  }
}

function copyOut(client: pg.Client, table: BackupTable): AsyncIterable<Buffer> {
  return client.query(copyTo(`copy ${copyTarget(table)} to stdout`));
}
