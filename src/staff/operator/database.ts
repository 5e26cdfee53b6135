import { join } from 'node:path';
import type pg from 'pg';
import { adoptBefore } from '../../database/adoption.js';
import type { BackupTable } from '../../database/backup/format.js';
import { withClient } from '../../database/client.js';
import { isSession } from '../../database/diagnostics.js';
import {
  markMoved,
  movedPath,
  readMoved,
  refuseMoved,
} from '../../database/embedded/data-folder.js';
import { readKeyId } from '../../database/installation-key.js';
import { migrateToLatest, readSchemaState } from '../../database/migrate.js';
import {
  copyTables,
  finishMove,
  hasUnfinishedMove,
  type MovePlan,
  openMove,
  planMove,
} from '../../database/move.js';
import type { Connection } from '../../database/pool.js';
import { onlyRow } from '../../database/row-queries.js';
import { describeOutage } from '../../platform/database-errors.js';
import { recordAudit } from '../../repositories/audit.js';
import { databaseUrl } from '../arguments.js';
import type { StaffCommand, TerminalRun } from '../command.js';
import { StaffError } from '../failure.js';
import { openDatabase, type Session, withServices } from '../session.js';
import { count, table } from '../text.js';
import { hasKeyOf, withProgress } from './backup.js';
import { minServerVersion } from './server-checks.js';

export function addDatabaseCommands(program: StaffCommand): void {
  program
    .command('database')
    .description('move the data to a database server')
    .command('move')
    .description('move everything from the data folder to a PostgreSQL server')
    .argument('<url>', 'the empty database, postgres://user@host/database', databaseUrl)
    .option('--dry-run', 'check both databases, and copy nothing')
    .explain(`
Stop the service first: the command has the data folder (DATA_DIR) to itself. It copies table after
table and compares the rows of both by their number and a checksum. If it is interrupted, run it
again: it continues after the last whole table. Jobs are not copied: the service makes them anew
within a minute of its start.

The folder keeps its data, and gets the file moved-to: nothing starts on it then. To go back, remove
that file; what has happened on the server since is not in the folder.

Without a password in the address, it is taken from PGPASSWORD or ~/.pgpass.

Example:
  studio database move postgres://booking@db.example.com/booking`)
    .runWithoutDatabase((run, url: string, { dryRun = false }: { dryRun?: boolean }) =>
      openBoth(run, url, (move) => moveDatabase(move, dryRun)),
    );
}

interface Move {
  run: TerminalRun;
  from: Session;
  source: pg.Client;
  to: Connection;
  target: pg.Client;
  /** The database as the operator reads it, without user and password. */
  destination: string;
}

async function openBoth(
  run: TerminalRun,
  url: string,
  work: (move: Move) => Promise<void>,
): Promise<void> {
  const environment = { ...run.context.environment, DATABASE_URL: undefined };
  const options = { mayCreate: false, mayHaveMoved: true };
  const from = withServices(await openDatabase(environment, options));
  try {
    const { dataDir } = from.config;
    if (from.access === 'served') {
      throw new StaffError('refused', `A service is running on ${dataDir}: stop it first.`);
    }
    const to = { connectionString: url };
    const destination = nameOf(url);
    await checkTarget(to, destination);
    await withClient(from.connection, (source) =>
      withClient(to, async (target) => {
        await openMove(source, target);
        await work({ run, from, source, to, target, destination });
      }),
    );
  } finally {
    await from.close();
  }
}

async function moveDatabase(move: Move, isDryRun: boolean): Promise<void> {
  const { run, from, source, to, target, destination } = move;
  const { config } = from;
  const { dataDir } = config;
  const { context, print } = run;
  const moved = await readMoved(dataDir);
  if (moved !== null && !(await hasUnfinishedMove(target))) {
    if (moved !== destination) await refuseMoved(dataDir);
    const data = { moved_to: destination, already_moved: true };
    return print(data, () => [`${dataDir} has moved to ${destination} before.`]);
  }
  await requireSchemas(move);
  const keyId = await readKeyId(from.services.database);
  if (!(await hasKeyOf(config, keyId))) {
    throw new StaffError(
      'refused',
      `The secret key of ${dataDir} is missing: copy the file secret-key there, or set SECRET_KEY.`,
    );
  }
  const plan = await planMove(source, target);
  const { tables } = plan;
  const rows = count(
    tables.reduce((sum, each) => sum + each.rows, 0),
    'row',
  );
  const before = plan.isOutdated ? [] : [...(plan.copied?.keys() ?? [])];
  const rest = before.length === 0 ? '' : `, ${count(before.length, 'table')} copied before`;
  const advice = `Then start the service with DATABASE_URL, and SECRET_KEY ${config.secretKey === null ? `with the content of ${join(dataDir, 'secret-key')}` : 'as it is'}.`;
  if (isDryRun) {
    const data = { dry_run: true, to: destination, copied_before: before, ...rowsByTable(tables) };
    return print(data, () => [`Can be moved to ${destination}: ${rows}${rest}.`, advice]);
  }
  await run.confirm(`Move ${rows} of ${dataDir} to ${destination}${rest}?`);
  if (plan.copied === null) await migrateToLatest(to);
  const sums = await withProgress(context, 'Move', (progress) =>
    copyTables(source, target, plan, progress, context.interrupted, ({ name, rows: copied }) => {
      if (context.wantsJson()) context.printError([JSON.stringify({ table: name, rows: copied })]);
      else if (context.stderr.isTTY !== true)
        context.printError([`${name}: ${count(copied, 'row')}`]);
    }),
  );
  await markMoved(dataDir, destination);
  await finish(move, plan);
  const data = { moved_to: destination, copied_before: before, ...rowsByTable(tables) };
  print({ ...data, checksums: Object.fromEntries(sums) }, () => [
    ...table(
      ['TABLE', 'ROWS', 'CHECKSUM'],
      tables.map(({ name }) => [name, ...(sums.get(name) ?? '').split(' ')]),
    ),
    `Moved to ${destination}: ${rows}, with the same checksums on both servers.`,
    advice,
    `${dataDir} is as it was, and nothing starts on it while ${movedPath(dataDir)} is there.`,
  ]);
}

/** Records the move in its target, which a service may use from then on. */
async function finish({ run, from, to }: Move, plan: MovePlan): Promise<void> {
  const opened = { ...from, connection: to, close: () => Promise.resolve() };
  const { services, close } = withServices(opened);
  const rows = plan.tables.reduce((sum, each) => sum + each.rows, 0);
  try {
    await services.database.transaction().execute(async (transaction) => {
      await finishMove(transaction, plan);
      await recordAudit(transaction, run.actor, 'database move', { rows });
    });
  } finally {
    await close();
  }
}

/** The folder has the newest schema, and the target has it too or none. */
async function requireSchemas({ from, to, destination }: Move): Promise<void> {
  const states = [
    await readSchemaState(from.connection),
    await readSchemaState(to, { mayBePartial: true }),
  ] as const;
  const [folder, server] = states.map(
    ({ missing, unknown }) => missing.length + unknown.length === 0,
  );
  if (states[0].isToAdopt) throw new StaffError('refused', adoptBefore);
  if (folder !== true) {
    throw new StaffError(
      'refused',
      `${from.config.dataDir} has the schema of another version: run "npm run migrate" first, or the newer version.`,
    );
  }
  if (server !== true && states[1].applied.length > 0) {
    throw new StaffError(
      'refused',
      `${destination} has the schema of another version: name an empty database.`,
    );
  }
}

interface TargetFacts {
  major: number;
  isUtf8: boolean;
  isReadOnly: boolean;
  mayCreate: boolean | null;
}

/** Throws unless the service can work on that database. */
async function checkTarget(to: Connection, destination: string): Promise<void> {
  const refuse = (problem: string) => {
    throw new StaffError('refused', `${destination} ${problem}.`);
  };
  const connecting = withClient(to, async (client) => {
    const { rows } = await client.query<TargetFacts>(
      `select current_setting('server_version_num')::integer / 10000 as major,
        getdatabaseencoding() = 'UTF8' as "isUtf8",
        pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly",
        has_schema_privilege(current_schema(), 'create')
          and has_database_privilege(current_database(), 'create') as "mayCreate"`,
    );
    const facts = onlyRow(rows);
    const folds =
      facts.isUtf8 && (await client.query(`select where lower('Ж') = 'ж'`)).rowCount === 1;
    return { ...facts, folds };
  });
  const facts = await connecting.catch((error: Error & { code?: string }) => {
    const outage = describeOutage(error).replace('DATABASE_URL', 'the address');
    throw new StaffError('failed', `${destination}: ${outage}`);
  });
  if (facts.major < minServerVersion) {
    refuse(`runs PostgreSQL ${facts.major}: the service needs ${minServerVersion} or newer`);
  }
  if (facts.isReadOnly) refuse('is read-only: name the primary server');
  if (facts.mayCreate !== true) {
    refuse('does not let this user create tables and schemas: name its owner');
  }
  if (!facts.folds) {
    refuse(
      "does not know the letters of all languages: create it with encoding 'UTF8' and a locale such as 'C.UTF-8'",
    );
  }
  if (!(await isSession(to)))
    refuse('is behind a pooler in transaction mode: name the server itself, or use session mode');
}

/** The URL without the user and the password. */
function nameOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? host}${pathname}`;
}

function rowsByTable(tables: readonly BackupTable[]) {
  return { rows: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])) };
}
