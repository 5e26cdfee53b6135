import { CsvError, parse } from 'csv-parse/sync';
import { StaffError } from '../failure.js';
import { count } from '../text.js';

/** A row of a file, or an event of a calendar. */
export interface SourceRow {
  /** Where it begins in the file, from 1. */
  line: number;
  /** By the headings of the columns. */
  cells: ReadonlyMap<string, string>;
  /** Why it cannot be read; null if it can. */
  mistake: string | null;
}

export interface Table<Row extends SourceRow = SourceRow> {
  headings: readonly string[];
  rows: readonly Row[];
}

const maxRows = 10_000;
/** Lines above the headings, and these. */
const maxTitleLines = 20;
/** Characters: a quote that is never closed must not make one row of a whole file. */
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
 * or tabs, in UTF-16 or Windows-1252, with lines above the headings and formulas around numbers.
 *
 * @throws StaffError `refused` when there are no headings, or more than 10,000 rows
 */
export function readTable(body: Uint8Array): Table {
  const text = decoded(body).replace(/\r\n?/g, '\n');
  const own = /^sep=(.)\n/i.exec(text)?.[1];
  const { lines, mistake } = readLines(text, own ?? separatorOf(text), own === undefined ? 1 : 2);
  const head = lines.findIndex(({ cells }) => cells.filter((cell) => cell !== '').length > 1);
  if (head === -1) {
    throw new StaffError(
      'refused',
      'The file has no headings: neither comma-separated values nor a calendar is in it.',
    );
  }
  const headings = headingsOf(lines[head]?.cells ?? []);
  const rows = lines.slice(head + 1).map(({ cells, line }) => rowOf(headings, cells, line));
  if (rows.length > maxRows) throw tooManyRows();
  return { headings, rows: mistake === null ? rows : [...rows, mistake] };
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
        if (cells.every((cell) => cell.trim() === '')) return null;
        const breaks = cells.join('').split('\n').length - 1;
        lines.push({ cells: cells.map(plain), line: last - breaks });
        if (lines.length > maxRows + maxTitleLines) throw tooManyRows();
        return null;
      },
    });
  } catch (error) {
    const what = error instanceof CsvError ? unreadableRows[error.code] : undefined;
    if (what === undefined) throw error;
    mistake = {
      line: last + 1,
      cells: new Map(),
      mistake: `${what}, so nothing can be read from here on`,
    };
  }
  return { lines, mistake };
}

/** Excel's CSV is in the code page of Windows, and its "Unicode text" in UTF-16. */
function decoded(body: Uint8Array): string {
  if (body[0] === 0xff && body[1] === 0xfe) return new TextDecoder('utf-16le').decode(body);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return new TextDecoder('windows-1252').decode(body);
  }
}

/** What most columns of the first lines are separated by. */
function separatorOf(text: string): string {
  const begin = text.split('\n', 5);
  const columns = (separator: string) =>
    Math.max(...begin.map((line) => line.replace(/"[^"]*"/g, '').split(separator).length));
  return [',', ';', '\t'].reduce((best, each) => (columns(each) > columns(best) ? each : best));
}

/** A cell without what only keeps spreadsheets from computing it: `="0142"`, `'+15035550142`. */
function plain(cell: string): string {
  const text = cell.trim();
  return (/^="(.*)"$/s.exec(text)?.[1] ?? text.replace(/^'(?=[=+\-@])/, '')).trim();
}

/** What a column is called whose heading another one before has. */
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

function rowOf(headings: readonly string[], cells: readonly string[], line: number): SourceRow {
  const isTooLong = cells.slice(headings.length).some((cell) => cell !== '');
  return {
    line,
    cells: new Map(headings.map((heading, index) => [heading, cells[index] ?? ''])),
    mistake: isTooLong
      ? `it has ${count(cells.length, 'column')}, and the headings are ${headings.length}`
      : null,
  };
}
