/**
 * A backup is a gzip file: the header, one line of JSON, and then for each of its tables the rows in
 * COPY's text format, one per line, and a line `\.`.
 */
export interface BackupHeader {
  format: typeof backupFormat;
  /** RFC 3339. */
  createdAt: string;
  /** The schema of the rows. */
  migrations: string[];
  /** Identifies the secret key, which is not in the backup. */
  secretKeyId: string | null;
  /** A table comes after those that it references, so that rows can be inserted in this order. */
  tables: BackupTable[];
}

export interface BackupTable {
  name: string;
  columns: string[];
  rows: number;
}

export function rowsOf({ tables }: BackupHeader): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

const formatName = 'tattoo-studio-booking backup, version ';
export const backupFormat = `${formatName}1` as const;

export const endOfRows = '\\.\n';

/** A backup, restore or move is not possible. The message is a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Parses the first line of a file. Throws `BackupError` where it is not a backup's header. */
export function parseHeader(path: string, line: Buffer): BackupHeader {
  const header = parseJson(line);
  const format = isObject(header) ? header['format'] : undefined;
  if (format === backupFormat && isHeader(header)) return header;
  if (format === backupFormat) throw new BackupError(`${path}, line 1: the header is damaged.`);
  throw new BackupError(
    typeof format === 'string' && format.startsWith(formatName)
      ? `${path} is a backup of another version of the service: restore it with that version.`
      : `${path} is not a backup of this service.`,
  );
}

function parseJson(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return null;
  }
}

function isHeader(header: unknown): header is BackupHeader {
  return (
    isObject(header) &&
    typeof header['createdAt'] === 'string' &&
    !Number.isNaN(Date.parse(header['createdAt'])) &&
    isNames(header['migrations']) &&
    (header['secretKeyId'] === null || typeof header['secretKeyId'] === 'string') &&
    Array.isArray(header['tables']) &&
    header['tables'].every(isTable) &&
    isNames(header['tables'].map(({ name }) => name))
  );
}

function isTable(table: unknown): table is BackupTable {
  return (
    isObject(table) &&
    typeof table['name'] === 'string' &&
    isNames(table['columns']) &&
    Number.isSafeInteger(table['rows']) &&
    Number(table['rows']) >= 0
  );
}

/** At least one, and no duplicates. */
function isNames(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === 'string') &&
    new Set(value).size === value.length
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
