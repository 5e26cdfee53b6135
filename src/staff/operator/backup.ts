import { type BackupHeader, rowsOf } from '../../database/backup/format.js';
import { type Progress, writeBackup } from '../../database/backup/write.js';
import { recordAction } from '../../domain/studio/audit.js';
import type { CommandContext } from '../command-context.js';
import type { StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { count } from '../text.js';

const keyAdvice =
  'It does not contain the secret key: keep a copy of that in another place (the file secret-key in DATA_DIR, or SECRET_KEY).';

export function addBackupCommand(program: StaffCommand): void {
  program
    .command('backup')
    .concerns('owner')
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
}

export function headerData({ createdAt, tables }: BackupHeader) {
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
