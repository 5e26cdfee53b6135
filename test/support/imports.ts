import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Context } from '../../src/context.js';
import { temporaryFolder } from './embedded.js';
import { studioOn } from './studio.js';

export interface ImportedRow {
  line: number;
  result: string;
  reason: string | null;
  who: string;
  notes: string[];
  [made: string]: unknown;
}

/** Imports files of these contents on the database of a service. */
export async function importing(
  t: Test,
  context: Pick<Context, 'config'>,
  environment: Record<string, string> = {},
) {
  const studio = studioOn(context, environment);
  const folder = await temporaryFolder(t);
  let files = 0;
  const fileOf = async (content: string | Buffer): Promise<string> => {
    files += 1;
    const file = join(folder, `export-${files}`);
    await writeFile(file, content);
    return file;
  };
  const importOf = async (noun: string, content: string | Buffer, ...options: string[]) => {
    const file = await fileOf(content);
    const { code, stdout, stderr } = await studio(noun, 'import', file, '--json', ...options);
    const report =
      stdout === '' ? null : (JSON.parse(stdout) as { imported: boolean; rows: ImportedRow[] });
    return { code, stderr, imported: report?.imported, rows: report?.rows ?? [], stdout };
  };
  return { studio, fileOf, importOf };
}

/** What became of a row: `2 import 2031-12-02 1:00 PM Ada Park`. */
export function short({ line, result, reason, who, date, time_slot }: ImportedRow): string {
  const made = date === undefined ? [reason] : [date, time_slot];
  return [line, result, ...made, who].join(' ').trim();
}

export const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
export const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
