import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LineTooLongError, splitLines } from '../../database/backup/reader.js';
import { exportInstallation, type FileWriter } from '../../domain/studio/transfer/export.js';
import {
  type FileLines,
  importInstallation,
  type ImportReport,
} from '../../domain/studio/transfer/import.js';
import { leftOutFile, listMissing } from '../../domain/studio/transfer/left-out.js';
import { recordAudit } from '../../repositories/audit.js';
import { readLeftOut, recordLeftOut } from '../../repositories/transfer.js';
import type { StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { count, countNamed, table } from '../text.js';
import { explainFileErrors } from './backup.js';

export function addTransferCommands(program: StaffCommand): void {
  program
    .command('export')
    .concerns('owner')
    .description('write all of the studio to a folder, as JSON and CSV, without secrets')
    .argument('<folder>', 'the new or empty folder, such as studio-2026-12-01')
    .explain(`
Studio, hours, artists, closures, openings, and bookings with their persons, as of one instant, with a JSON
Schema of each file and a README that says what is not in it. The service may be running. It
contains personal data, and only its owner may read its files. For a copy that brings back
everything, with secrets, use backup.

Example:
  studio export studio-2026-12-01`)
    .run(async ({ services, context, actor, print }, folder: string) => {
      const rows = await explainFileErrors(folder, () =>
        withEmptyFolder(folder, context.interrupted, (write) =>
          exportInstallation(services, actor, write),
        ),
      );
      print({ folder, rows }, () => [...rowTable(rows), `Written: ${folder}.`]);
    });

  program
    .command('import')
    .concerns('owner')
    .description('import an export into an installation that has nothing of its own')
    .argument('<folder>', 'the folder of an export')
    .option('--dry-run', 'say what would be imported and refused, and import nothing')
    .option('--skip-refused', 'leave out the rows that are refused, and import the others')
    .explain(`
The installation must be as a first start leaves it; the details of the example studio and its hours
are replaced. Each row that is refused is named with what is wrong. Everything is imported at once,
or nothing. Nobody is mailed or sent webhooks about what is imported; reminders of sessions to come
are sent in time. Links in mails that people have work while the address of the service stays.

Example:
  DATA_DIR=./data-new studio import studio-2026-12-01 --dry-run`)
    .run(async ({ services, context, actor, print }, folder: string, options: ImportFlags) => {
      const report = await explainFileErrors(folder, () =>
        importInstallation(services, actor, linesIn(folder), {
          dryRun: options.dryRun === true,
          skipRefused: options.skipRefused === true,
          signal: context.interrupted,
        }),
      );
      if (report.outcome === 'in_use') {
        throw new StaffError(
          'refused',
          `The installation is in use (${report.filled.join(', ')}): import into a new folder (DATA_DIR) or a new database.`,
        );
      }
      if (report.outcome === 'unreadable') throw new StaffError('refused', report.problem);
      print(dataOf(report), () => reportLines(report));
      if (report.outcome === 'refused') {
        throw new StaffError(
          'refused',
          `${count(report.refused, 'row')} refused: nothing was imported. Correct them, or leave them out with --skip-refused.`,
        );
      }
    });

  program
    .command('left-out')
    .concerns('owner')
    .description('what an imported export left out')
    .command('dismiss')
    .description('let doctor name no longer what is not there again')
    .explain('\nExample:\n  studio left-out dismiss')
    .run(async ({ services, actor, confirm, print }) => {
      const record = await readLeftOut(services.database);
      if (record.length === 0) throw new StaffError('refused', 'Nothing is missing.');
      const missing = await listMissing(services.database);
      if (missing.length > 0) await confirm(`Do without ${countNamed(missing)}?`);
      await services.database.transaction().execute(async (transaction) => {
        await recordLeftOut(transaction, []);
        await recordAudit(transaction, actor, 'left-out dismiss', {});
      });
      print({ dismissed: missing }, () => ['Doctor names it no longer.']);
    });
}

interface ImportFlags {
  dryRun?: true;
  skipRefused?: true;
}

/** The length of text that is written at once. */
const partLength = 64 * 1024;

/**
 * Writes new files, readable by their owner only; removes them again if `work` fails. An empty folder
 * keeps its mode: it may be a mount point, or shared on purpose.
 */
async function withEmptyFolder<Result>(
  folder: string,
  signal: AbortSignal,
  work: (write: FileWriter) => Promise<Result>,
): Promise<Result> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) {
    throw new StaffError('refused', `${folder} is not empty: name a new folder.`);
  }
  const written: string[] = [];
  try {
    return await work(async (name, lines) => {
      const path = join(folder, name);
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
      written.push(path);
      await pipeline(joined(lines), file, { signal });
    });
  } catch (error) {
    for (const path of written) await rm(path, { force: true });
    throw error;
  }
}

async function* joined(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let part = '';
  for await (const line of lines) {
    part += line;
    if (part.length < partLength) continue;
    yield part;
    part = '';
  }
  yield part;
}

function linesIn(folder: string): FileLines {
  return async function* lines(name) {
    const path = join(folder, name);
    try {
      // A pipe would be waited for, while everybody's holds wait.
      if (!(await stat(path)).isFile()) throw new StaffError('refused', `${path} is no file.`);
      yield* splitLines(createReadStream(path));
    } catch (error) {
      if (error instanceof LineTooLongError) {
        throw new StaffError('refused', `${name}: a line is longer than any row.`);
      }
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      if (name === leftOutFile) return;
      throw new StaffError('not_found', `${folder} has no file ${name}.`);
    }
  };
}

function rowTable(rows: ImportReport['rows']): string[] {
  return table(
    ['FILE', 'ROWS'],
    Object.entries(rows).map(([file, number]) => [file, String(number)]),
  );
}

function dataOf({ furtherFindings, leftOut, ...report }: ImportReport) {
  return { ...report, further_findings: furtherFindings, left_out: leftOut };
}

function reportLines({ outcome, rows, findings, furtherFindings, leftOut }: ImportReport) {
  const found = findings.map((finding) => [
    finding.file,
    String(finding.line ?? ''),
    finding.outcome,
    finding.problem,
  ]);
  return [
    ...(found.length > 0 ? table(['FILE', 'LINE', 'OUTCOME', 'WHY'], found) : []),
    ...(furtherFindings > 0 ? [`${furtherFindings} more of these are not listed.`] : []),
    ...(outcome === 'refused' ? [] : rowTable(rows)),
    ...(outcome === 'dry_run' ? ['Nothing was imported: this is what would be.'] : []),
    ...(outcome === 'imported' ? ['Imported.'] : []),
    ...(leftOut.length > 0
      ? [`Left out by the export: ${countNamed(leftOut)}. "studio doctor" names what is missing.`]
      : []),
  ];
}
