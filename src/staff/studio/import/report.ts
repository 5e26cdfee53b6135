import type { Import } from '../../../domain/studio/imports.js';
import { isInteractive } from '../../command-context.js';
import type { Run } from '../../command.js';
import { StaffError } from '../../failure.js';
import { count, table } from '../../text.js';
import { type Columns, columnLines } from './columns.js';
import type { Source } from './source.js';

/** The outcome of a row, and why. */
export interface ReportRow {
  line: number;
  result: 'import' | 'skip' | 'refuse';
  /** A word for programs; null without one. */
  reason: string | null;
  when: string;
  who: string;
  /** Notes in words, also about imported rows. */
  notes: string[];
  /** The created object. */
  created: Record<string, unknown>;
}

export interface ReportOptions {
  dryRun?: boolean;
  skipRefused?: boolean;
}

type NotImported = Pick<ReportRow, 'result' | 'reason' | 'notes' | 'created'>;

const notImported =
  (result: 'skip' | 'refuse') =>
  (reason: string, note: string): NotImported => ({ result, reason, notes: [note], created: {} });

export const skip = notImported('skip');
export const refuse = notImported('refuse');

interface Job<Given> {
  source: Source;
  columns: Columns;
  /** The readable rows, and the reports of the others. */
  read: readonly (Given | ReportRow)[];
  options: ReportOptions;
  /** Sentences beside those of the source. */
  remarks?: string[];
}

interface Importer<Given, Result, Done extends Import<Result>> {
  work: (given: Given[], options: { dryRun: boolean }) => Promise<Done>;
  describe: (given: Given, result: Result) => ReportRow;
  /** Lines behind the report. */
  remarks?: (done: Done) => string[];
}

/**
 * Shows what an import would do and asks, unless `--yes` or `--dry-run` was given; imports, and prints the
 * report.
 *
 * @throws StaffError `refused` when a row is refused and not skipped
 */
export async function importAndReport<Given extends object, Result, Done extends Import<Result>>(
  { context, isSure, confirm, print }: Run,
  noun: string,
  { source, columns, read, options, remarks: others = [] }: Job<Given>,
  { work, describe, remarks = () => [] }: Importer<Given, Result, Done>,
): Promise<void> {
  const { dryRun = false, skipRefused = false } = options;
  const said = [...source.remarksOf(columns), ...others];
  const attempt = async (isDryRun: boolean) => {
    const isRow = (row: Given | ReportRow): row is ReportRow => 'result' in row;
    const given = read.filter((row) => !isRow(row)) as Given[];
    const done = await work(given, { dryRun: isDryRun });
    const results = done.results.values();
    const rows = read.map((row) =>
      isRow(row) ? row : describe(row, results.next().value as Result),
    );
    rows.sort((one, other) => one.line - other.line);
    const numberOf = (wanted: ReportRow['result']) =>
      rows.filter(({ result }) => result === wanted).length;
    const refused = numberOf('refuse');
    const imported = count(numberOf('import'), noun);
    const others = `${count(numberOf('skip'), 'row')} skipped, ${refused} refused`;
    return {
      rows,
      refused,
      imported,
      isDone: done.isDone,
      isEmpty: numberOf('import') === 0,
      isRefused: refused > 0 && !skipRefused,
      after: [
        done.isDone
          ? `Imported ${imported}; ${others}.`
          : `Nothing was changed. To import: ${imported}; ${others}.`,
        ...remarks(done),
      ],
    };
  };
  const linesOf = ({ rows }: { rows: ReportRow[] }) => [
    ...columnLines(columns, source.rows),
    '',
    ...reportTable(rows),
    ...(source.skipped.length === 0 ? [] : [`Skipped: ${source.skipped.join(', ')}.`]),
    ...said,
  ];

  let report = await attempt(true);
  let isShown = false;
  if (!dryRun && !report.isRefused && !report.isEmpty) {
    isShown = isInteractive(context) && !isSure;
    if (isShown) context.printError(linesOf(report));
    await confirm(`Import ${report.imported}?`);
    report = await attempt(false);
    // Somebody may have taken a time meanwhile.
    isShown &&= report.isDone;
  }
  const { rows, isDone, after } = report;
  const data = {
    imported: isDone,
    columns: Object.fromEntries(
      [...columns].map(([field, ofField]) => [field, ofField.map(({ heading }) => heading)]),
    ),
    rows: rows.map(({ created, ...row }) => ({ ...row, ...created })),
    skipped: source.skipped,
    remarks: said,
  };
  print(data, () => (isShown ? after : [...linesOf(report), ...after]));
  if (report.isRefused) {
    throw new StaffError(
      'refused',
      `${count(report.refused, 'row')} refused, so nothing is imported: correct the file, or add --skip-refused.`,
    );
  }
}

function reportTable(rows: readonly ReportRow[]): string[] {
  return table(
    ['LINE', 'ROW', 'WHEN', 'WHO', 'WHY'],
    rows.map(({ line, result, when, who, notes }) => [
      ...[String(line), result, when, who.slice(0, 60)],
      notes.join('; '),
    ]),
    'The file has no rows.',
  );
}
