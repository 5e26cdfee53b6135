import type { StaffCommand } from '../command.js';
import {
  addColumnOptions,
  cellOf,
  type ColumnOptions,
  type Columns,
  type Field,
} from './columns.js';
import { refuse, type ReportOptions, type ReportRow, skip } from './report.js';
import { addSourceOptions, type Source, type SourceOptions, type Times } from './source.js';
import type { SourceRow } from './table.js';

export type ImportOptions = ColumnOptions & SourceOptions & ReportOptions;

export function addImportCommand(nouns: StaffCommand, description: string): StaffCommand {
  const command = nouns
    .command('import')
    .description(description)
    .argument('<file>', 'CSV or a calendar (.ics), detected from its content');
  return addSourceOptions(addColumnOptions(command))
    .option('--dry-run', 'only print the report; nothing is changed')
    .option('--skip-refused', 'import the other rows where some are refused')
    .withYes();
}

export const importHelp = `All rows are imported, or none: a refused row refuses the whole file, unless --skip-refused is given.
What is over, cancelled or there already is skipped, so that a file can be imported again.
A terminal shows the columns that are known of the file's headings, and asks. Elsewhere name others
with --map or in a file of such lines; "--map idea=" skips a field.`;

/** The fields that a file can have, and those that it must. A calendar's times are not in columns. */
export function fieldsOf(
  { hasTimeColumns }: Source,
  { others, needed, times }: { others: Field[]; needed: Field[]; times: Field[] },
): { fields: Field[]; needed: Field[] } {
  if (!hasTimeColumns) return { fields: [...others, 'status'], needed };
  return { fields: [...others, ...times, 'zone', 'status'], needed: [...needed, 'start'] };
}

const skippedStatuses = /cancel|reject|declin|no.?show|delet|pending|tentative|await|^true$|^yes$/i;

/** What `read` makes of each row, but for those that cannot be read or are not booked. */
export function readRows<Read>(
  source: Source,
  columns: Columns,
  who: (row: SourceRow) => string,
  read: (row: SourceRow, times: Times) => Read | ReportRow,
): (Read | ReportRow)[] {
  const timesOf = source.timesOf(columns);
  return source.rows.map((row) => {
    const about = { line: row.line, who: who(row), when: '' };
    if (row.mistake !== null) return { ...about, ...refuse('unreadable', row.mistake) };
    const status = cellOf(row, columns.get('status'));
    if (skippedStatuses.test(status)) {
      return { ...about, ...skip('status', `its status is "${status.slice(0, 60)}"`) };
    }
    const times = timesOf(row);
    if ('mistake' in times) return { ...about, ...refuse('unreadable', times.mistake) };
    return read(row, times);
  });
}
