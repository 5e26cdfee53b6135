import { InvalidArgumentError } from 'commander';
import { type CommandContext, isInteractive } from '../../command-context.js';
import type { StaffCommand } from '../../command.js';
import { StaffError } from '../../failure.js';
import { readBoundedFile } from '../../operator/calendar-check.js';
import { printable, table } from '../../text.js';
import { bare, type Column, type Field, fields, guessColumns, speaksOfStates } from './headings.js';
import type { SourceRow, Table } from './table.js';

/** The columns of each field, whose cells are joined, but for those of `status`. */
export type Columns = ReadonlyMap<Field, readonly Column[]>;

/** A line `name=Client name`, `start=Date + Time`, or `idea=` for none. */
function parsePair(line: string): [field: string, columns: string] {
  const [, field = '', columns = ''] = /^\s*([a-z]+)\s*=\s*(.*?)\s*$/s.exec(line) ?? [];
  if (!(field in fields)) {
    throw new InvalidArgumentError(
      `Give a field and its column, such as "name=Client name". Fields: ${Object.keys(fields).join(', ')}.`,
    );
  }
  return [field, columns];
}

export interface ColumnOptions {
  map?: [field: string, columns: string][];
  mapFile?: string;
}

export function addColumnOptions(command: StaffCommand): StaffCommand {
  return command
    .option(
      '--map <field=column>',
      'the column of a field, such as "start=Date + Time"; repeatable',
      (line: string, before: ColumnOptions['map'] = []) => [...before, parsePair(line)],
    )
    .option('--map-file <file>', 'a file with one such line for each field');
}

/**
 * The columns of each field: those of the options, then known ones. On a terminal without these options,
 * shows them and asks, unless `isSure`.
 *
 * @throws StaffError `usage` when a column is not in the file, a field is not among the wanted ones, a
 * needed one has no column, or a column has states and no option says whether it counts
 */
export async function chooseColumns(
  { context, isSure }: { context: CommandContext; isSure: boolean },
  { headings, rows }: Table,
  wanted: { fields: readonly Field[]; needed: readonly Field[] },
  options: ColumnOptions,
): Promise<Columns> {
  const given = new Map([...(await pairsOf(options.mapFile)), ...(options.map ?? [])]);
  const unused = [...given.keys()].filter((field) => !wanted.fields.some((each) => each === field));
  if (unused.length > 0) {
    throw new StaffError(
      'usage',
      `This file has no use for a column of: ${unused.join(', ')}. Fields: ${wanted.fields.join(', ')}.`,
    );
  }
  const all = headings.map((heading, index): Column => ({ heading, index }));
  const columns = new Map<Field, readonly Column[]>();
  for (const field of wanted.fields) {
    const pair = given.get(field);
    columns.set(field, pair === undefined ? guessColumns(field, all) : named(pair, all));
  }
  const missing = () =>
    rows.length === 0 ? [] : wanted.needed.filter((field) => columns.get(field)?.length === 0);
  let unclear = given.has('status') ? [] : unclearColumns(all, columns, rows);
  if (given.size === 0 && isInteractive(context) && !isSure) {
    context.printError(columnLines(columns, rows));
    const isUnclear = missing().length > 0 || unclear.length > 0;
    if (isUnclear || !(await askWhetherRight(context))) {
      for (const field of wanted.fields) {
        columns.set(field, await askForColumn(context, field, all, columns, wanted.needed));
      }
      unclear = [];
    }
  }
  if (missing().length > 0) {
    const [first = ''] = missing();
    throw new StaffError(
      'usage',
      `No column is known for: ${missing().join(', ')}. The file has: ${headings.join(', ')}. Add --map "${first}=…".`,
    );
  }
  if (unclear.length > 0) {
    const names = [...(columns.get('status') ?? []), ...unclear].map(({ heading }) => heading);
    throw new StaffError(
      'usage',
      `Does a row's status stand in the column ${unclear.map(({ heading }) => `"${heading}"`).join(' or ')}? Name all columns that say whether a row is cancelled, such as --map "status=${names.join(' + ')}", or none with "--map status=".`,
    );
  }
  return columns;
}

/** Filled columns with states that have no field. */
function unclearColumns(all: readonly Column[], columns: Columns, rows: readonly SourceRow[]) {
  const used = [...columns.values()].flat().map(({ index }) => index);
  return all.filter(
    ({ heading, index }) =>
      speaksOfStates(heading) &&
      !used.includes(index) &&
      rows.some(({ cells }) => (cells[index] ?? '') !== ''),
  );
}

async function pairsOf(file: string | undefined): Promise<[string, string][]> {
  if (file === undefined) return [];
  const body = await readBoundedFile(file, `${file} is too large for such lines.`);
  const lines = Buffer.from(body)
    .toString()
    .split(/\r?\n/)
    .filter((line) => /^\s*[^#\s]/.test(line));
  try {
    return lines.map(parsePair);
  } catch (error) {
    throw new StaffError('usage', `${file}: ${(error as Error).message}`);
  }
}

/** The columns in a text: one, or several with `+` between them. */
function named(text: string, all: readonly Column[]): Column[] {
  if (text === '') return [];
  const find = (name: string) => all.find(({ heading }) => bare(heading) === bare(name));
  const whole = all.find(({ heading }) => heading === text);
  if (whole !== undefined) return [whole];
  return text.split('+').map((part) => {
    const column = find(part);
    if (column !== undefined) return column;
    const headings = all.map(({ heading }) => heading).join(', ');
    throw new StaffError('usage', `The file has no column "${part.trim()}". It has: ${headings}.`);
  });
}

/** The fields with their columns, and the cells of the first row that has any. */
export function columnLines(columns: Columns, rows: readonly SourceRow[]): string[] {
  const shown = [...columns].filter(([, ofField]) => ofField.length > 0);
  const example = (ofField: readonly Column[]) =>
    rows.map((row) => cellOf(row, ofField)).find((text) => text !== '') ?? '';
  return table(
    ['FIELD', 'COLUMN', 'EXAMPLE'],
    shown.map(([field, ofField]) => [field, headingOf(ofField), example(ofField).slice(0, 60)]),
    'No column is known of these headings.',
  );
}

function headingOf(columns: readonly Column[]): string {
  return columns.map(({ heading }) => heading).join(' + ');
}

export function cellOf({ cells }: SourceRow, columns: readonly Column[] = []): string {
  const texts = columns.map(({ index }) => cells[index] ?? '');
  return texts.filter((text) => text !== '').join(' ');
}

async function askWhetherRight(context: CommandContext): Promise<boolean> {
  const { confirm } = await import('@inquirer/prompts');
  return confirm({ message: 'Are these the columns?', default: true }, promptsOn(context)).catch(
    notChanged,
  );
}

async function askForColumn(
  context: CommandContext,
  field: Field,
  all: readonly Column[],
  columns: Columns,
  needed: readonly Field[],
): Promise<readonly Column[]> {
  const { select } = await import('@inquirer/prompts');
  const present = columns.get(field) ?? [];
  const choices = [
    ...(present.length > 1 ? [present] : []),
    ...all.map((column) => [column]),
    ...(needed.includes(field) ? [] : [[]]),
  ].map((value) => ({ name: printable(headingOf(value) || '(none)'), value }));
  const found = choices.find(({ value }) => headingOf(value) === headingOf(present))?.value;
  return select<readonly Column[]>(
    {
      message: `Which column is "${field}", ${fields[field]}?`,
      choices,
      ...(found && { default: found }),
    },
    promptsOn(context),
  ).catch(notChanged);
}

function promptsOn({ stdin: input, stderr: output, interrupted: signal }: CommandContext) {
  return { input, output, signal };
}

function notChanged(): never {
  throw new StaffError('refused', 'Nothing was changed.');
}
