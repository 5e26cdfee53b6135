import { CsvError, parse } from 'csv-parse/sync';
import { withoutGuards } from '../../../domain/studio/transfer/csv.js';
import { decodeText } from '../../../platform/text-encoding.js';
import { StaffError } from '../../failure.js';
import { count } from '../../text.js';
import { isKnownHeading } from './headings.js';

/** A row of a file, or an event of a calendar. */
export interface SourceRow {
  /** The line where it begins in the file, from 1. */
  line: number;
  /** In the order of the headings, without empty ones at the end. */
  cells: readonly string[];
  /** Why it cannot be read; null if it can. */
  mistake: string | null;
}

export interface Table<Row extends SourceRow = SourceRow> {
  headings: readonly string[];
  rows: readonly Row[];
  /** The parts that are no rows: `2 lines above the headings`. */
  skipped: readonly string[];
}

const maxRows = 10_000;
/** The most lines above the headings, with these. */
const maxTitleLines = 20;
/**
 * The most columns: more than any export has; spreadsheets add thousands of empty ones, which do not
 * count.
 */
const maxColumns = 300;
/** The most characters of a row: an unclosed quote must not make one row of a whole file. */
const maxRowCharacters = 100_000;

/** By the codes of `CsvError`. */
const unreadableRows: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and not closed',
  CSV_MAX_RECORD_SIZE: `the row has more than ${maxRowCharacters.toLocaleString('en-US')} characters`,
};

interface Line {
  cells: string[];
  line: number;
}

/**
 * The rows of comma-separated values (RFC 4180), as spreadsheets write them: also separated by semicolons
 * or tabs, in Windows-1252, with lines above the headings and formulas around numbers.
 *
 * @param body in UTF-8 or Windows-1252
 * @throws StaffError `refused` when there are no headings, more than 300 columns or 10,000 rows
 */
export function readTable(body: Uint8Array): Table {
  const text = decodeText(body).replace(/\r\n?/g, '\n');
  const own = /^sep=(.)\n/i.exec(text)?.[1];
  const { lines, mistake } = readLines(text, own ?? separatorOf(text), own === undefined ? 1 : 2);
  const head = headOf(lines);
  if (head === -1) {
    throw new StaffError(
      'refused',
      'The file has no headings: neither comma-separated values nor a calendar is in it.',
    );
  }
  const headings = headingsOf(lines[head]?.cells ?? []);
  if (headings.length > maxColumns) {
    const problem = `The file has more than ${maxColumns} columns: delete those that no row needs.`;
    throw new StaffError('refused', problem);
  }
  const rows = lines.slice(head + 1).map((line) => rowOf(headings, line));
  if (rows.length > maxRows) throw tooManyRows();
  return {
    headings,
    rows: mistake === null ? rows : [...rows, mistake],
    skipped: head === 0 ? [] : [`${count(head, 'line')} above the headings`],
  };
}

/**
 * The index of the headings: of the first lines, the one with the most known headings, if it has two or
 * more; otherwise the first line with several cells, or -1.
 */
function headOf(lines: readonly Line[]): number {
  const filled = ({ cells }: Line) => cells.filter((cell) => cell !== '').length;
  const first = lines.findIndex((line) => filled(line) > 1);
  const known = lines
    .slice(0, maxTitleLines + 1)
    .map(({ cells }) => new Set(cells.filter(isKnownHeading)).size);
  const most = Math.max(0, ...known);
  return most < 2 || (known[first] ?? 0) === most ? first : known.indexOf(most);
}

function tooManyRows(): StaffError {
  const limit = maxRows.toLocaleString('en-US');
  return new StaffError('refused', `The file has more than ${limit} rows: split it.`);
}

function readLines(text: string, delimiter: string, from_line: number) {
  const lines: Line[] = [];
  let last = from_line - 1;
  let mistake: SourceRow | null = null;
  try {
    parse(text, {
      delimiter,
      from_line,
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: maxRowCharacters,
      on_record(cells: string[], info) {
        last = info.lines;
        const end = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
        if (end === 0) return null;
        const breaks = cells.join('').split('\n').length - 1;
        // One column more than allowed shows that there are too many.
        const kept = cells.slice(0, Math.min(end, maxColumns + 1));
        lines.push({ cells: kept.map(plain), line: last - breaks });
        if (lines.length > maxRows + maxTitleLines) throw tooManyRows();
        return null;
      },
    });
  } catch (error) {
    const what = error instanceof CsvError ? unreadableRows[error.code] : undefined;
    if (what === undefined) throw error;
    mistake = {
      line: last + 1,
      cells: [],
      mistake: `${what}, so nothing can be read from here on`,
    };
  }
  return { lines, mistake };
}

/** The separator of most columns of the first lines; a quoted cell can have lines of its own. */
function separatorOf(text: string): string {
  const quoted = /(?<=^|[,;\t\n])"[^"]*(?:""[^"]*)*"/g;
  const begin = text.slice(0, maxRowCharacters).replace(quoted, '').split('\n', 5);
  const columns = (separator: string) =>
    Math.max(...begin.map((line) => line.split(separator).length));
  return [',', ';', '\t'].reduce((best, each) => (columns(each) > columns(best) ? each : best));
}

/** A cell without marks that keep spreadsheets from computing it: `="0142"`, `'+15035550142`. */
function plain(cell: string): string {
  const text = cell.trim();
  return (/^="(.*)"$/s.exec(text)?.[1] ?? withoutGuards(text)).trim();
}

/** The name of a column whose heading an earlier one has. */
export function numbered(heading: string, index: number): string {
  return `${heading} ${index + 1}`;
}

function headingsOf(cells: readonly string[]): string[] {
  const headings: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const heading = cell.replace(/\s+/g, ' ');
    const isUsed = heading === '' || headings.includes(heading);
    headings.push(isUsed ? numbered(heading || 'Column', index) : heading);
  }
  return headings;
}

function rowOf(headings: readonly string[], { cells, line }: Line): SourceRow {
  const isTooLong = cells.slice(headings.length).some((cell) => cell !== '');
  const columns = `${cells.length > maxColumns ? 'more than ' : ''}${Math.min(cells.length, maxColumns)}`;
  return {
    line,
    cells,
    mistake: isTooLong
      ? `it has ${columns} columns, and the headings are ${headings.length}`
      : null,
  };
}
