import { access, realpath } from 'node:fs/promises';
import type pg from 'pg';
import { type Config, loadConfig } from '../../config/config.js';
import { rowsOf } from '../../database/backup/format.js';
import { hasUnfinishedMove } from '../../database/backup/moved.js';
import {
  type BackupReader,
  checkBackup,
  openBackup,
  readBackup,
} from '../../database/backup/reader.js';
import { type Restored, restoreBackup } from '../../database/backup/restore.js';
import { withdrawn, type Grant } from '../../database/backup/withdrawn.js';
import { readFolder } from '../../database/backup/write.js';
import { withClient } from '../../database/client.js';
import {
  hasEmbeddedDatabase,
  markMoved,
  readMoved,
  refuseMoved,
} from '../../database/embedded/data-folder.js';
import {
  adoptKeyring,
  hasKeyOf,
  lostWithKey,
  openNewKeyring,
} from '../../database/installation-key.js';
import { finishMove, migrateToLatest } from '../../database/migrate.js';
import { recordRestore } from '../../domain/studio/audit.js';
import { disableForLostSecrets } from '../../repositories/webhook-admin.js';
import { installation } from '../arguments.js';
import type { StaffCommand, TerminalRun } from '../command.js';
import { StaffError } from '../failure.js';
import { databaseName, openDatabase, requireNewestSchema, withServices } from '../session.js';
import { count } from '../text.js';
import { explainFileErrors, withProgress } from './backup.js';
import { printDone } from './restore-report.js';
import { checkTarget, nameOfDatabase } from './restore-target.js';
import { folderOf, grantsOf, grantTable, unknownWithdrawals, withdrawals } from './withdrawals.js';

export function addRestoreCommand(program: StaffCommand): void {
  program
    .command('restore')
    .concerns('owner')
    .description(
      'restore a backup, or move a data folder, into a new data folder or a new database',
    )
    .argument('[file]', 'the backup')
    .option(
      '--from <folder>',
      'move the data of this folder (a DATA_DIR), whose service is stopped',
    )
    .option('--without-secret-key', 'the key of the backup is lost: continue with another one')
    .option(
      '--replaces <old>',
      'the data folder or database URL that this restore replaces: list what was withdrawn there since the backup',
      installation,
    )
    .explain(`
The target is the data folder (DATA_DIR) or the database (DATABASE_URL) of this environment. It
must be empty or as a first start leaves it. If the command is interrupted, run it again.

From a backup, mails that are due by now, codes and sign-ins are dropped: they may have been sent or
used since the backup. Reminders that are still ahead are kept, so end the old installation before
you start this one with the settings of mail. The command prints how many of each.

What was withdrawn after the backup is in force again: ${withdrawals}.
With --replaces, the command lists it and asks before it restores anything.

With --from, everything is kept, also sign-ins and mails that are due. The number and a checksum of
the rows of each table are compared. The folder keeps its data and gets the file moved-to: nothing
starts on it then. To go back, remove that file; what has happened since is not in the folder.

The service needs the secret key of the backup: copy the old file secret-key into the new data
folder first, or set SECRET_KEY. Lost without it: ${lostWithKey}.
Webhook subscriptions are then disabled; remove watched calendars, and add them again. Bookings,
checkout links and API keys still work.

Examples:
  DATA_DIR=./data-new studio restore studio-2026-12-01.backup --replaces ./data
  DATABASE_URL=postgres://booking@db.example.com/booking studio restore --from ./data`)
    .runWithoutDatabase((run, file: string | undefined, options: RestoreOptions) => {
      const { from, replaces } = options;
      if ((file === undefined) === (from === undefined)) {
        throw new StaffError('usage', 'Give the file of a backup, or --from <folder>.');
      }
      if (from !== undefined && replaces !== undefined) {
        throw new StaffError('usage', '--from cannot be combined with --replaces.');
      }
      return file === undefined
        ? moveFolder(run, from ?? '', options)
        : explainFileErrors(file, () => restoreFile(run, file, options));
    });
}

interface RestoreOptions {
  from?: string;
  replaces?: string;
  withoutSecretKey?: true;
}

async function restoreFile(run: TerminalRun, file: string, options: RestoreOptions): Promise<void> {
  await access(file);
  await checkBackup(file);
  const backup = await openBackup(file);
  try {
    await restore(run, { backup, moved: null, what: 'this backup', options });
  } finally {
    backup.close();
  }
}

async function moveFolder(
  run: TerminalRun,
  folder: string,
  options: RestoreOptions,
): Promise<void> {
  const { environment } = run.context;
  const { databaseUrl, dataDir } = loadConfig(environment);
  const isTarget = databaseUrl === null && (await sameFolder(folder, dataDir));
  if (isTarget) {
    throw new StaffError(
      'refused',
      `${folder} is the target itself: set DATABASE_URL to the server, or DATA_DIR to a new folder.`,
    );
  }
  if (!(await hasEmbeddedDatabase(folder))) {
    throw new StaffError('not_found', `There is no database in ${folder}.`);
  }
  const source = await openDatabase(folderOf(environment, folder), {
    mayCreate: false,
    mayHaveMoved: true,
  });
  try {
    if (source.access === 'served') {
      throw new StaffError('refused', `A service is running on ${folder}: stop it first.`);
    }
    await requireNewestSchema({ ...source, access: 'remote' });
    await withClient(source.connection, async (client) => {
      const backup = await readBackup(folder, readFolder(source.connection, client));
      await restore(run, { backup, moved: { folder, client }, what: folder, options });
    });
  } finally {
    await source.close();
  }
}

interface Source {
  backup: BackupReader;
  /** A data folder that is moved; null where a file is restored. */
  moved: { folder: string; client: pg.Client } | null;
  what: string;
  options: RestoreOptions;
}

async function restore(run: TerminalRun, source: Source): Promise<void> {
  const { context, isSure, confirm } = run;
  const { backup, moved, what, options } = source;
  const { header } = backup;
  const config = loadConfig(context.environment);
  const { databaseUrl } = config;
  const isNamed = moved !== null && databaseUrl !== null;
  const destination = isNamed ? nameOfDatabase(databaseUrl) : databaseName(config);
  if (databaseUrl !== null) await checkTarget(databaseUrl);
  if (moved !== null && (await hasMoved(run, moved.folder, destination))) return;
  const hasKey = await hasKeyOf(config, header.secretKeyId);
  if (!hasKey && options.withoutSecretKey !== true) {
    throw new StaffError(
      'refused',
      `The secret key of ${what} is missing. Copy its file secret-key into DATA_DIR, or set SECRET_KEY; if it is lost, add --without-secret-key (see: studio restore --help).`,
    );
  }
  const { replaces } = options;
  if (moved === null && replaces === undefined && !isSure && !context.wantsJson()) {
    context.printError([unknownWithdrawals]);
  }
  const rows = count(rowsOf(header), 'row');
  await confirm(
    moved === null
      ? `Restore ${rows} of ${header.createdAt} into ${destination}?`
      : `Move ${rows} of ${what} to ${destination}?`,
  );
  const current = replaces === undefined ? null : await grantsOf(context, replaces);
  let revived: Grant[] | null = null;
  const restored = await write(run, source, { config, destination, hasKey }, async (grants) => {
    if (current === null) return;
    revived = withdrawn(grants, current);
    if (revived.length === 0 || isSure) return;
    context.printError(grantTable(revived));
    await confirm(`Revive ${count(revived.length, 'grant')} withdrawn since the backup?`);
  });
  const folder = moved?.folder ?? null;
  printDone(run, { header, folder, destination, hasKey, revived, ...restored });
}

/** Writes all rows, after `approve` has been asked about what is in force by them. */
async function write(
  { context, actor }: TerminalRun,
  { backup, moved }: Source,
  { config, destination, hasKey }: { config: Config; destination: string; hasKey: boolean },
  approve: (grants: Grant[]) => Promise<void>,
): Promise<Restored> {
  // A restore that is declined creates no database.
  const session = withServices(await openDatabase(context.environment, { mayCreate: true }));
  try {
    const { connection, services } = session;
    const restored = await withProgress(context, 'Restore', (progress) =>
      restoreBackup(connection, backup, {
        ...{ progress, signal: context.interrupted, approve },
        moved: moved?.client ?? null,
        reminderHours: config.reminderHours,
      }),
    );
    if (moved !== null) await markMoved(moved.folder, destination);
    const keyring = hasKey ? null : await openNewKeyring(config);
    await services.database.transaction().execute(async (transaction) => {
      if (keyring !== null) {
        await adoptKeyring(transaction, keyring);
        await disableForLostSecrets(transaction);
      }
      if (moved !== null) await finishMove(transaction);
      await recordRestore(transaction, actor, {
        ...(moved === null ? { backup_of: backup.header.createdAt } : { moved: true }),
        rows: rowsOf(backup.header),
        with_secret_key: hasKey,
      });
    });
    if (moved !== null) await migrateToLatest(connection);
    return restored;
  } finally {
    await session.close();
  }
}

/** Whether the folder has moved there before, which is said. Throws where it has moved elsewhere. */
async function hasMoved(
  { context, print }: TerminalRun,
  folder: string,
  destination: string,
): Promise<boolean> {
  const movedTo = await readMoved(folder);
  if (movedTo === null) return false;
  if (movedTo !== destination) await refuseMoved(folder);
  const target = await openDatabase(context.environment, { mayCreate: false });
  try {
    if (await withClient(target.connection, hasUnfinishedMove)) return false;
  } finally {
    await target.close();
  }
  print({ moved_to: destination, already_moved: true }, () => [
    `${folder} has moved to ${destination} before.`,
  ]);
  return true;
}

async function sameFolder(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((each) => realpath(each).catch(() => each)),
  );
  return first === second;
}
