import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { BackupError, endOfRows, parseHeader, type BackupTable } from './format.js';

const lineFeed = 0x0a;
const endsEarly = 'the backup ends too early: it is incomplete';
const chunkBytes = 64 * 1024;
/** Far more than the 10 kB of the service's longest row. */
const maxLineBytes = 16 * 1024 * 1024;

export type BackupReader = Awaited<ReturnType<typeof readBackup>>;

/** Opens a backup, to read it from its beginning to its end. Throws `BackupError`. */
export function openBackup(path: string): Promise<BackupReader> {
  const file = createReadStream(path);
  const unpacked = createGunzip();
  file.once('error', (error) => unpacked.destroy(error));
  file.pipe(unpacked);
  return readBackup(path, unpacked, () => {
    file.destroy();
    unpacked.destroy();
  });
}

/** Reads the unpacked bytes of a backup. `path`: where they come from, for errors. */
export async function readBackup(
  path: string,
  bytes: AsyncIterable<Buffer>,
  close: () => void = () => undefined,
) {
  const fileLines = splitLines(bytes);
  let read = 0;

  /** The problem with a line as a sentence. */
  function errorAt(line: number, problem: string): BackupError {
    return new BackupError(`${path}, line ${line}: ${problem}.`);
  }

  async function nextLine(): Promise<Buffer | null> {
    const line = await fileLines.next().catch((error: unknown) => {
      if (error instanceof LineTooLongError)
        throw errorAt(read + 1, 'the line is longer than any row');
      const { code } = error as NodeJS.ErrnoException;
      throw errorAt(read + 1, code === 'Z_BUF_ERROR' ? endsEarly : `it cannot be read (${code})`);
    });
    if (line.done === true) return null;
    read += 1;
    return line.value;
  }

  async function requireLine(): Promise<Buffer> {
    const line = await nextLine();
    if (line === null) throw errorAt(read + 1, endsEarly);
    return line;
  }

  try {
    return {
      header: parseHeader(path, await requireLine()),
      /** The number of the line that was read last; the header is line 1. */
      line: () => read,
      /** The rows of the next table, in chunks of whole lines. Throws unless the table's count is right. */
      async *nextRows({ name, rows }: BackupTable): AsyncGenerator<Buffer> {
        let lines: Buffer[] = [];
        let size = 0;
        for (let count = 0; count < rows; count += 1) {
          const line = await requireLine();
          if (isEndOfRows(line)) throw errorAt(read, `table ${name} has fewer than ${rows} rows`);
          lines.push(line);
          size += line.length;
          if (size < chunkBytes) continue;
          yield Buffer.concat(lines);
          lines = [];
          size = 0;
        }
        const end = await requireLine();
        if (!isEndOfRows(end)) throw errorAt(read, `table ${name} has more than ${rows} rows`);
        if (size > 0) yield Buffer.concat(lines);
      },
      /** Throws unless the file ends here and its checksum is right. */
      async end() {
        if ((await nextLine()) !== null) throw errorAt(read, 'the backup continues after its end');
      },
      errorAt,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Reads the whole file, so that a truncated or damaged one is refused before a database is opened,
 * created or migrated for it. Throws `BackupError`.
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

function isEndOfRows(line: Buffer): boolean {
  return line.length === endOfRows.length && line.toString('latin1') === endOfRows;
}

export class LineTooLongError extends Error {}

/** The lines with their line feeds; the last one may lack it. */
export async function* splitLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
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
    if (size > maxLineBytes) throw new LineTooLongError();
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

export function countLines(text: Buffer): number {
  let lines = 0;
  for (let at = text.indexOf(lineFeed); at !== -1; at = text.indexOf(lineFeed, at + 1)) lines += 1;
  return lines;
}
