import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { BackupError, parseHeader, type BackupHeader, type BackupTable } from './format.js';

export const endOfRows = '\\.\n';

const lineFeed = 0x0a;
const endsEarly = 'the backup ends too early and is not whole';
const groupBytes = 64 * 1024;
/** A row of the service has some 10 kB at most: only what is no backup comes near. */
const longestLineBytes = 16 * 1024 * 1024;

/** Reads a backup from its beginning to its end. Throws `BackupError`. */
export interface BackupReader {
  header: BackupHeader;
  /** The number of the line that was read last; the header is line 1. */
  line(): number;
  /** The rows of the next table, in pieces of whole lines. Throws unless there are as many as told. */
  nextRows(table: BackupTable): AsyncGenerator<Buffer>;
  /** Throws unless the file ends here, and is what was written by its checksum. */
  end(): Promise<void>;
  /** What is wrong with a line, as a sentence. */
  fault(line: number, problem: string): BackupError;
  close(): void;
}

export async function openBackup(path: string): Promise<BackupReader> {
  const file = createReadStream(path);
  const unpacked = createGunzip();
  file.once('error', (error) => unpacked.destroy(error));
  file.pipe(unpacked);
  const lines = splitLines(unpacked);
  let read = 0;

  function fault(line: number, problem: string): BackupError {
    return new BackupError(`${path}, line ${line}: ${problem}.`);
  }

  async function nextLine(): Promise<Buffer | null> {
    const line = await lines.next().catch((error: unknown) => {
      if (error instanceof LineTooLongError) throw fault(read + 1, 'it is longer than any row is');
      const { code } = error as NodeJS.ErrnoException;
      throw fault(read + 1, code === 'Z_BUF_ERROR' ? endsEarly : `it cannot be read (${code})`);
    });
    if (line.done === true) return null;
    read += 1;
    return line.value;
  }

  async function requireLine(): Promise<Buffer> {
    const line = await nextLine();
    if (line === null) throw fault(read + 1, endsEarly);
    return line;
  }

  function close(): void {
    file.destroy();
    unpacked.destroy();
  }

  try {
    return {
      header: parseHeader(path, await requireLine()),
      line: () => read,
      async *nextRows({ name, rows }) {
        let group: Buffer[] = [];
        let size = 0;
        for (let count = 0; ; count += 1) {
          const line = await requireLine();
          const isEnd = line.length === endOfRows.length && line.toString('latin1') === endOfRows;
          if (isEnd !== (count === rows)) {
            throw fault(read, `table ${name} has ${isEnd ? 'less' : 'more'} than its ${rows} rows`);
          }
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
      async end() {
        if ((await nextLine()) !== null) throw fault(read, 'the backup goes on after its end');
      },
      fault,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Reads the whole file, so that one that is cut off or damaged is refused before a database is
 * opened, made or migrated for it. Throws `BackupError`.
 */
export async function checkBackup(path: string): Promise<void> {
  const backup = await openBackup(path);
  try {
    for (const table of backup.header.tables) {
      const rows = backup.nextRows(table);
      while ((await rows.next()).done !== true);
    }
    await backup.end();
  } finally {
    backup.close();
  }
}

class LineTooLongError extends Error {}

/** The lines with their line feeds. Bytes after the last one are a line as well. */
async function* splitLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      parts.push(chunk.subarray(from, end + 1));
      yield parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
      parts = [];
      size = 0;
      from = end + 1;
    }
    if (from === chunk.length) continue;
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > longestLineBytes) throw new LineTooLongError();
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

export function countLines(text: Buffer): number {
  let lines = 0;
  for (let at = text.indexOf(lineFeed); at !== -1; at = text.indexOf(lineFeed, at + 1)) lines += 1;
  return lines;
}
