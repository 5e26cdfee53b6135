import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

/**
 * A backup is one gzip file: a line of JSON, the header, and then for each of its tables the rows
 * in COPY's text format, one a line, and a line `\.`.
 */
export interface BackupHeader {
  format: typeof backupFormat;
  /** RFC 3339. */
  createdAt: string;
  /** The schema that the rows are of. */
  migrations: string[];
  /** Names the secret key, which is not in the backup. */
  secretKeyId: string | null;
  /** In an order in which their rows can be written: what is referred to comes first. */
  tables: BackupTable[];
}

export interface BackupTable {
  name: string;
  columns: string[];
  rows: number;
}

export const backupFormat = 'tattoo-studio-booking backup, version 1';
export const endOfRows = '\\.\n';

const lineFeed = 0x0a;
const groupBytes = 64 * 1024;

/** A file that cannot be read as a backup. The message is a sentence for whoever restores it. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** Reads a backup from its beginning to its end. Throws `BackupError`. */
export interface BackupReader {
  header: BackupHeader;
  /** The rows of the next table, in pieces of whole lines. */
  nextRows(): AsyncGenerator<Buffer>;
  close(): void;
}

export async function openBackup(path: string): Promise<BackupReader> {
  const file = createReadStream(path);
  const unpacked = createGunzip();
  file.once('error', (error) => unpacked.destroy(error));
  file.pipe(unpacked);
  const lines = splitLines(unpacked);

  async function nextLine(): Promise<Buffer> {
    const line = await lines.next().catch((error: unknown) => {
      throw new BackupError(`${path} cannot be read: ${(error as Error).message}.`);
    });
    if (line.done === true) throw new BackupError(`${path} ends too early: it is not whole.`);
    return line.value;
  }

  return {
    header: parseHeader(path, await nextLine()),
    async *nextRows() {
      let group: Buffer[] = [];
      let size = 0;
      for (;;) {
        const line = await nextLine();
        const isEnd = line.length === endOfRows.length && line.toString('latin1') === endOfRows;
        if (!isEnd) {
          group.push(line);
          size += line.length;
        }
        if (group.length > 0 && (isEnd || size >= groupBytes)) {
          yield Buffer.concat(group);
          group = [];
          size = 0;
        }
        if (isEnd) return;
      }
    },
    close() {
      file.destroy();
      unpacked.destroy();
    },
  };
}

function parseHeader(path: string, line: Buffer): BackupHeader {
  let header: Partial<BackupHeader> | null = null;
  try {
    header = JSON.parse(line.toString('utf8')) as Partial<BackupHeader> | null;
  } catch {
    // Not ours, as below.
  }
  if (header?.format !== backupFormat) {
    throw new BackupError(`${path} is no backup of this service.`);
  }
  return header as BackupHeader;
}

/** The lines with their line feeds; what follows the last one is not a line. */
async function* splitLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const text: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = text.indexOf(lineFeed); end !== -1; end = text.indexOf(lineFeed, from)) {
      yield text.subarray(from, end + 1);
      from = end + 1;
    }
    rest = text.subarray(from);
  }
}

export function countLines(text: Buffer): number {
  let lines = 0;
  for (let at = text.indexOf(lineFeed); at !== -1; at = text.indexOf(lineFeed, at + 1)) lines += 1;
  return lines;
}
