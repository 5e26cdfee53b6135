import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import type { Context } from '../../src/context.js';
import { exportInstallation } from '../../src/domain/studio/transfer/export.js';
import type { BookingLine, FormatDocument } from '../../src/domain/studio/transfer/format.js';
import { type ImportOptions, importInstallation } from '../../src/domain/studio/transfer/import.js';
import { leaveOneArtist } from './artists.js';
import { startOver } from './start-over.js';

/** The files of an export, by their names. */
export type Files = Record<string, string>;

export async function exported(context: Pick<Context, 'database'>): Promise<Files> {
  const files: Files = {};
  await exportInstallation(context, 'ada@desk', async (name, parts) => {
    files[name] = (await buffer(parts)).toString();
  });
  return files;
}

export function importOf(
  context: Pick<Context, 'database' | 'config'>,
  files: Files,
  options: Partial<ImportOptions> = {},
) {
  const linesOf = async function* lines(name: string) {
    if (files[name]) for (const line of files[name].split(/(?<=\n)/)) yield Buffer.from(line);
  };
  return importInstallation(context, 'ada@desk', linesOf, {
    dryRun: false,
    skipRefused: false,
    signal: new AbortController().signal,
    ...options,
  });
}

/** The bookings of an export. */
export const bookingsOf = (files: Files) =>
  files['bookings.jsonl']!.split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as BookingLine);

/** The export with these lines as its bookings. */
export function withBookings(files: Files, lines: readonly (object | string)[]): Files {
  const format = JSON.parse(files['format.json']!) as { rows: Record<string, number> };
  format.rows['bookings.jsonl'] = lines.length;
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  return {
    ...files,
    'bookings.jsonl': texts.map((text) => `${text}\n`).join(''),
    'format.json': JSON.stringify(format),
  };
}

/** The export as 2.9 wrote that of a studio with one artist. */
export function withoutArtists({ 'artists.json': _, ...files }: Files): Files {
  const format = JSON.parse(files['format.json']!) as FormatDocument & {
    rows: Record<string, number>;
  };
  delete format.rows['artists.json'];
  format.version = 1;
  const lines = (name: string) =>
    files[name]!.replaceAll(/,"(?:language":[^,]*|artist":[^}]*)/g, '');
  return {
    ...files,
    'studio.json': files['studio.json']!.replace(/ *"language": .*\n/, ''),
    'bookings.jsonl': lines('bookings.jsonl'),
    'closures.jsonl': lines('closures.jsonl'),
    'format.json': JSON.stringify(format),
  };
}

/** Empties the database, and makes the studio another one: a first start of someone else. */
export async function startElsewhere(context: Context): Promise<void> {
  await startOver(context);
  await leaveOneArtist(context);
  await context.database.transaction().execute((transaction) =>
    sql`
      update studio set name = 'Elsewhere', notices = '[]', timezone = 'Asia/Kathmandu', city = 'Patan';
      update week_days set opens = null, closes = null, sessions = '{}';
      delete from zone_data`.execute(transaction),
  );
}
