import { access } from 'node:fs/promises';
import { loadConfig, type Config } from '../../config/config.js';
import { isDatabaseUrl } from '../../config/validators.js';
import type { BackupHeader } from '../../database/backup/format.js';
import { checkBackup, openBackup } from '../../database/backup/reader.js';
import { restoreBackup } from '../../database/backup/restore.js';
import { listGrants, withdrawn, type Grant } from '../../database/backup/withdrawn.js';
import { type Progress, writeBackup } from '../../database/backup/write.js';
import { withClient } from '../../database/client.js';
import {
  adoptKeyring,
  findKeyring,
  lostWithKey,
  openNewKeyring,
} from '../../database/installation-key.js';
import { recordAction, recordRestore } from '../../domain/studio/audit.js';
import { disableForLostSecrets } from '../../repositories/webhook-admin.js';
import { installation } from '../arguments.js';
import type { CommandContext } from '../command-context.js';
import type { StaffCommand, TerminalRun } from '../command.js';
import { StaffError } from '../failure.js';
import { databaseName, openDatabase, withServices } from '../session.js';
import { count, table } from '../text.js';

const keyAdvice =
  'It does not contain the secret key: keep a copy of that in another place (the file secret-key in DATA_DIR, or SECRET_KEY).';

const withdrawals =
  'removed passkeys, feeds and platforms, revoked API keys, deleted webhooks, forgotten persons';

const unknownWithdrawals = `What was withdrawn after the backup is in force again, and cannot be known here: ${withdrawals}. To list it, name the installation that is replaced with --replaces.`;

export function addBackupCommands(program: StaffCommand): void {
  program
    .command('backup')
    .description('write the whole database to one compressed file, without the secret key')
    .argument('<file>', 'the new file, such as studio-2026-12-01.backup')
    .explain(`
The service may be running: the file has every row as of one instant. It contains personal data,
and only its owner may read it. ${keyAdvice}

Example:
  studio backup studio-2026-12-01.backup`)
    .run(async ({ connection, services, context, actor, print }, file: string) => {
      const header = await withProgress(context, 'Backup', (progress) =>
        explainFileErrors(file, () => writeBackup(connection, file, progress, context.interrupted)),
      );
      await recordAction(services, actor, 'backup', { rows: rowsOf(header) });
      print({ file, secret_key_included: false, ...headerData(header) }, () => [
        `Written: ${file}, ${count(rowsOf(header), 'row')}.`,
        keyAdvice,
      ]);
    });

  program
    .command('restore')
    .description('restore a backup into a new data folder or a new database')
    .argument('<file>', 'the backup')
    .option('--without-secret-key', 'the key of the backup is lost: continue with another one')
    .option(
      '--replaces <old>',
      'the data folder or database URL that this restore replaces: list what was withdrawn there since the backup',
      installation,
    )
    .explain(`
The target is the data folder (DATA_DIR) or the database (DATABASE_URL) of this environment. It
must be empty or as a first start leaves it.

Mails that are due by now, codes and sign-ins are dropped: they may have been sent or used since the
backup. Reminders that are still ahead are kept, so end the old installation before you start this one
with the settings of mail. The command prints how many of each.

What was withdrawn after the backup is in force again: ${withdrawals}.
With --replaces, the command lists it and asks before it restores anything.

The service needs the secret key of the backup: copy the old file secret-key into the new data
folder first, or set SECRET_KEY. Lost without it: ${lostWithKey}.
Webhook subscriptions are then disabled; remove watched calendars, and add them again. Bookings,
checkout links and API keys still work.

Example:
  DATA_DIR=./data-new studio restore studio-2026-12-01.backup --replaces ./data`)
    .runWithoutDatabase((run, file: string, options: RestoreOptions) =>
      explainFileErrors(file, () => restore(run, file, options)),
    );
}

interface RestoreOptions {
  replaces?: string;
  withoutSecretKey?: true;
}

async function restore(
  { context, actor, isSure, confirm, print }: TerminalRun,
  file: string,
  { replaces, withoutSecretKey }: RestoreOptions,
): Promise<void> {
  await access(file);
  await checkBackup(file);
  const backup = await openBackup(file);
  const { header } = backup;
  let close = async () => backup.close();
  try {
    const config = loadConfig(context.environment);
    const hasKey = await hasKeyOf(config, header.secretKeyId);
    if (!hasKey && withoutSecretKey !== true) {
      throw new StaffError(
        'refused',
        'The secret key of this backup is missing. Copy its file secret-key into DATA_DIR, or set SECRET_KEY; if it is lost, add --without-secret-key (see: studio restore --help).',
      );
    }
    const target = databaseName(config);
    const rows = count(rowsOf(header), 'row');
    if (replaces === undefined && !isSure && !context.wantsJson()) {
      context.printError([unknownWithdrawals]);
    }
    await confirm(`Restore ${rows} of ${header.createdAt} into ${target}?`);
    const current = replaces === undefined ? null : await grantsOf(context, replaces);
    let revived: Grant[] | null = null;
    // A restore that is declined creates no database.
    const opened = await openDatabase(context.environment, { mayCreate: true });
    close = async () => {
      backup.close();
      await opened.close();
    };
    const approve = async (restored: Grant[]) => {
      if (current === null) return;
      revived = withdrawn(restored, current);
      if (revived.length === 0 || isSure) return;
      context.printError(grantTable(revived));
      const those = count(revived.length, 'grant');
      await confirm(`Revive ${those} withdrawn since the backup?`);
    };
    const effects = await withProgress(context, 'Restore', (progress) =>
      restoreBackup(opened.connection, backup, {
        ...{ progress, signal: context.interrupted, approve },
        reminderHours: config.reminderHours,
      }),
    );
    const session = withServices(opened);
    close = async () => {
      backup.close();
      await session.close();
    };
    const { services } = session;
    if (!hasKey) {
      await adoptKeyring(services.database, await openNewKeyring(config));
      await services.database.transaction().execute(disableForLostSecrets);
    }
    await recordRestore(services, actor, {
      backup_of: header.createdAt,
      rows: rowsOf(header),
      with_secret_key: hasKey,
    });
    const data = { with_secret_key: hasKey, ...headerData(header), ...effects, revived };
    print(data, () => [
      ...table(
        ['TABLE', 'ROWS'],
        header.tables.map((each) => [each.name, String(each.rows)]),
      ),
      `Restored into ${target}: ${rows}, as of ${header.createdAt}.`,
      `Dropped, since it may have been sent, used or ended since: ${counts(effects.dropped)}.`,
      `Kept, since it is due later: ${counts(effects.kept)}.`,
      ...(revived === null ? [unknownWithdrawals] : revivedLines(revived)),
      ...(hasKey ? [] : ['The secret key is a new one: webhook subscriptions are disabled.']),
    ]);
  } finally {
    await close();
  }
}

function counts(rows: Record<string, number>): string {
  const some = Object.entries(rows).filter(([, number]) => number > 0);
  return some.map(([noun, number]) => count(number, noun)).join(', ') || 'nothing';
}

/** The grants in force in the installation that is replaced. */
async function grantsOf({ environment }: CommandContext, old: string): Promise<Grant[]> {
  const opened = await openDatabase(
    isDatabaseUrl(old)
      ? { ...environment, DATABASE_URL: old }
      : { ...environment, DATABASE_URL: undefined, DATA_DIR: old },
    { mayCreate: false },
  );
  try {
    return await withClient(opened.connection, listGrants);
  } finally {
    await opened.close();
  }
}

function revivedLines(revived: readonly Grant[]): string[] {
  if (revived.length === 0)
    return ['Nothing that was withdrawn after the backup is in force again.'];
  return ['In force again, though withdrawn after the backup:', ...grantTable(revived)];
}

function grantTable(grants: readonly Grant[]): string[] {
  return table(
    ['WHAT', 'NAME', 'ID'],
    grants.map(({ kind, label, id }) => [kind, label, id]),
  );
}

/** Whether the secret key with that id is available. */
export async function hasKeyOf(config: Config, keyId: string | null): Promise<boolean> {
  const keyring = await findKeyring(config);
  return keyId === null || keyring?.currentKeyId === keyId || keyring?.previousKeyId === keyId;
}

function rowsOf({ tables }: BackupHeader): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

function headerData({ createdAt, tables }: BackupHeader) {
  return {
    created_at: createdAt,
    rows: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
  };
}

/** Turns file system errors about the file into messages for the user. */
export async function explainFileErrors<Result>(
  file: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (path?.startsWith(file) !== true) throw error;
    if (code === 'ENOENT') throw new StaffError('not_found', `${file}: no such file or folder.`);
    throw new StaffError('failed', `${file} cannot be used (${code}).`);
  }
}

/** Shows a progress bar on an interactive terminal, and nothing elsewhere. */
export async function withProgress<Result>(
  context: CommandContext,
  label: string,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  if (context.stderr.isTTY !== true || context.wantsJson()) {
    return work({ total: () => undefined, advance: () => undefined });
  }
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar(
    {
      format: `${label} {bar} {percentage} %, {value} of {total}, {eta_formatted} left`,
      stream: context.stderr as NodeJS.WritableStream,
      clearOnComplete: true,
      stopOnComplete: true,
    },
    cliProgress.Presets.shades_classic,
  );
  try {
    return await work({
      total: (rows) => bar.start(rows, 0),
      advance: (rows) => bar.increment(rows),
    });
  } finally {
    bar.stop();
  }
}
