import { InvalidArgumentError } from 'commander';
import { type CommandContext, isInteractive } from '../command-context.js';
import type { StaffCommand } from '../command.js';
import { readBoundedFile } from '../commands/calendar-check.js';
import { StaffError } from '../failure.js';
import { printable, table } from '../text.js';
import type { SourceRow, Table } from './table.js';

/** What can be read of a row. Some fields are of bookings or of closures only. */
const fields = {
  name: 'whose booking it is',
  email: 'the e-mail address',
  phone: 'the telephone number',
  pronouns: 'the pronouns',
  idea: 'what the person has in mind',
  start: 'the date and time at which it begins',
  end: 'the date and time at which it ends',
  zone: 'the time zone of these times',
  status: 'whether it is cancelled',
  reason: 'the reason, which only the studio reads',
};

export type Field = keyof typeof fields;

/** The columns of each field, whose cells are joined. */
export type Columns = ReadonlyMap<Field, readonly string[]>;

/**
 * Headings of Cal.com, Square, Acuity, Fresha, Google Calendar, Outlook and others, as they are without
 * spaces and marks; the first that a file has counts. With `+`: both columns.
 */
const known: Readonly<Record<Field, string>> = {
  name: 'attendeename clientname customername inviteename guestname client customer attendee invitee fullname clientfirstname+clientlastname firstname+lastname name summary subject title',
  email:
    'attendeeemail clientemail customeremail inviteeemail guestemail emailaddress email clientemailaddress',
  phone:
    'attendeephonenumber attendeephone clientphone customerphone phonenumber mobilenumber mobile phone telephone textremindernumber',
  pronouns: 'pronouns',
  idea: 'idea appointmentnotes bookingnotes clientnotes customernotes additionalnotes notes note',
  start:
    'startdate+starttime appointmentdate+starttime scheduleddate+starttime date+starttime appointmentdate+appointmenttime appointmentdate+time scheduleddate+time bookingdate+time date+time startdatetime startdateandtime starttime startsat start appointmenttime scheduledfor from startdate fromdate scheduleddate date',
  end: 'enddate+endtime date+endtime enddatetime enddateandtime endtime endsat end to enddate todate until',
  zone: 'timezone attendeetimezone clienttimezone inviteetimezone tz',
  status: 'status appointmentstatus bookingstatus canceled cancelled',
  reason: 'reason summary subject title name description',
};

const bare = (heading: string) => heading.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function guess(field: Field, headings: readonly string[]): string[] {
  for (const alternative of known[field].split(' ')) {
    const columns = alternative
      .split('+')
      .map((part) => headings.find((heading) => bare(heading) === part));
    if (columns.every((column) => column !== undefined)) return columns;
  }
  return [];
}

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
 * The columns of each field: those that the options name, then those that are known. On a terminal without
 * these options, shows them and asks, unless `isSure`.
 *
 * @throws StaffError `usage` when a column is not in the file, a field is not among the wanted ones, or a
 * needed one has no column
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
  const columns = new Map<Field, readonly string[]>();
  for (const field of wanted.fields) {
    const pair = given.get(field);
    columns.set(field, pair === undefined ? guess(field, headings) : named(pair, headings));
  }
  const missing = () =>
    rows.length === 0 ? [] : wanted.needed.filter((field) => columns.get(field)?.length === 0);
  if (given.size === 0 && isInteractive(context) && !isSure) {
    context.printError(columnLines(columns, rows));
    if (missing().length > 0 || !(await askWhetherRight(context))) {
      for (const field of wanted.fields) {
        columns.set(field, await askForColumn(context, field, headings, columns, wanted.needed));
      }
    }
  }
  if (missing().length > 0) {
    const [first = ''] = missing();
    throw new StaffError(
      'usage',
      `No column is known for: ${missing().join(', ')}. The file has: ${headings.join(', ')}. Add --map "${first}=…".`,
    );
  }
  return columns;
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

/** The columns that a text names: one, or several with `+` between them. */
function named(text: string, headings: readonly string[]): string[] {
  if (text === '') return [];
  const find = (name: string) => headings.find((heading) => bare(heading) === bare(name));
  const whole = headings.find((heading) => heading === text);
  const parts = whole === undefined ? text.split('+') : [whole];
  return parts.map((part) => {
    const heading = find(part);
    if (heading !== undefined) return heading;
    const all = headings.join(', ');
    throw new StaffError('usage', `The file has no column "${part.trim()}". It has: ${all}.`);
  });
}

/** The fields with their columns, and what the first row that has any has there. */
export function columnLines(columns: Columns, rows: readonly SourceRow[]): string[] {
  const shown = [...columns].filter(([, names]) => names.length > 0);
  const example = (names: readonly string[]) =>
    rows.map((row) => cellOf(row, names)).find((text) => text !== '') ?? '';
  return table(
    ['FIELD', 'COLUMN', 'EXAMPLE'],
    shown.map(([field, names]) => [field, names.join(' + '), example(names).slice(0, 60)]),
    'No column is known of these headings.',
  );
}

export function cellOf({ cells }: SourceRow, names: readonly string[] = []): string {
  const texts = names.map((name) => cells.get(name) ?? '');
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
  headings: readonly string[],
  columns: Columns,
  needed: readonly Field[],
): Promise<readonly string[]> {
  const { select } = await import('@inquirer/prompts');
  const present = columns.get(field) ?? [];
  const choices = [
    ...(present.length > 1 ? [present] : []),
    ...headings.map((heading) => [heading]),
    ...(needed.includes(field) ? [] : [[]]),
  ].map((value) => ({ name: printable(value.join(' + ') || '(none)'), value }));
  const isPresent = (value: readonly string[]) => value.join('+') === present.join('+');
  const found = choices.find(({ value }) => isPresent(value))?.value;
  return select<readonly string[]>(
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
