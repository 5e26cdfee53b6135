import type { StaffCommand } from '../../command.js';
import { localTime } from '../../text.js';
import { addColumnOptions, cellOf, type ColumnOptions, type Columns } from './columns.js';
import { bare, type Field } from './headings.js';
import { refuse, type ReportOptions, type ReportRow, skip } from './report.js';
import { addSourceOptions, type Source, type SourceOptions, type Times } from './source.js';
import { isCancelledTitle, readStatus, statusAnswer, type StatusAnswers } from './status.js';
import type { SourceRow } from './table.js';

export type ImportOptions = ColumnOptions &
  SourceOptions &
  ReportOptions & { status?: StatusAnswers };

export function addImportCommand(nouns: StaffCommand, description: string): StaffCommand {
  const command = nouns
    .command('import')
    .concerns('owner')
    .description(description)
    .argument('<file>', 'CSV or a calendar (.ics), detected from its content');
  return addSourceOptions(addColumnOptions(command))
    .option(
      '--status <word=answer>',
      'what an unknown status means, booked or skip, such as "Storniert=skip"; repeatable',
      statusAnswer,
    )
    .option('--dry-run', 'only print the report; nothing is changed')
    .option('--skip-refused', 'import the other rows where some are refused');
}

export const importHelp = `All rows are imported, or none: a refused row refuses the whole file, unless --skip-refused is given.
What is over, cancelled or there already is skipped, so that a file can be imported again.
A terminal shows the columns that are known of the file's headings, and asks. Elsewhere name others
with --map or in a file of such lines; "--map idea=" skips a field. Only what is understood counts:
a row with an unknown status is refused, and the report names the word; answer it with --status. A
column that may say whether a row is cancelled, and is not known, is named before anything is read.`;

/** The fields that a file can have, and those that it must. A calendar's times are not in columns. */
export function fieldsOf(
  { hasTimeColumns }: Source,
  { others, needed, times }: { others: Field[]; needed: Field[]; times: Field[] },
): { fields: Field[]; needed: Field[] } {
  if (!hasTimeColumns) return { fields: [...others, 'status'], needed };
  return { fields: [...others, ...times, 'zone', 'status'], needed: [...needed, 'start'] };
}

const dayMs = 86_400_000;
const isTotal =
  /^(?:grand |sub)?-?totals?(?: (?:appointments|bookings|sessions|events|sales|revenue))?[\s:\d.,]*$/i;
const titles = ['title', 'subject', 'summary', 'eventtitle'];

/** The results of `read` for rows that can be read, are not over and are booked. */
export function readRows<Read>(
  source: Source,
  columns: Columns,
  answers: StatusAnswers | undefined,
  who: (row: SourceRow) => string,
  read: (row: SourceRow, times: Times) => Read | ReportRow,
): (Read | ReportRow)[] {
  const timesOf = source.timesOf(columns);
  const titleAt = source.headings.findIndex((heading) => titles.includes(bare(heading)));
  return source.rows.map((row) => {
    const about = { line: row.line, who: who(row), when: '' };
    if (row.mistake !== null) return { ...about, ...refuse('unreadable', row.mistake) };
    const title = [row.cells[titleAt] ?? '', about.who].find(isCancelledTitle);
    if (title !== undefined) {
      return { ...about, ...skip('status', `its title is "${title.slice(0, 60)}"`) };
    }
    const statuses = (columns.get('status') ?? []).map((column) => {
      const cell = cellOf(row, [column]);
      return { cell, meaning: readStatus(cell, column.heading, answers ?? new Map()) };
    });
    const off = statuses.find(({ meaning }) => meaning === 'skip');
    if (off !== undefined) {
      return { ...about, ...skip('status', `its status is "${off.cell.slice(0, 60)}"`) };
    }
    const times = timesOf(row);
    if ('mistake' in times) {
      const isOfTotals = isTotal.test(row.cells.find((cell) => cell !== '') ?? '');
      const total = skip('total', 'it is a line of totals');
      return { ...about, ...(isOfTotals ? total : refuse('unreadable', times.mistake)) };
    }
    // The unknown status of a past row does not matter.
    if ((times.end ?? times.start).at + 2 * dayMs < source.now) {
      return { ...about, ...skip('past', 'it is over') };
    }
    const unknown = statuses.find(({ meaning }) => meaning === null)?.cell.slice(0, 60);
    if (unknown !== undefined) {
      const answer = `add --status "${unknown}=skip" or --status "${unknown}=booked"`;
      const when = localTime(new Date(times.start.at), source.timezone);
      const why = `the status "${unknown}" is not known: ${answer}`;
      return { ...about, when, ...refuse('unknown_status', why) };
    }
    return read(row, times);
  });
}
