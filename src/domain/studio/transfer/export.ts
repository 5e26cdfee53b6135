import type { TObject } from '@sinclair/typebox';
import type { Transaction } from 'kysely';
import type { BookingRow, Database } from '../../../database/rows/schema.js';
import type { DatabaseServices } from '../../../database/services.js';
import { listArtists } from '../../../repositories/artists.js';
import { readStudio } from '../../../repositories/studio-settings.js';
import {
  listLeftOut,
  streamBookings,
  streamClosures,
  streamOpenings,
  withSnapshot,
  readNow,
  readOtherAddresses,
  readZoneVersions,
} from '../../../repositories/transfer.js';
import { listDatedDays, readWeek } from '../../../repositories/weeks.js';
import { dayMs } from '../../../schedule/dates.js';
import { statusAt, todayInZone } from '../../../schedule/slots.js';
import { recordAction } from '../audit.js';
import { csvLine } from './csv.js';
import {
  Artists,
  Booking,
  type BookingLine,
  Closure,
  companionFiles,
  csvColumns,
  type DataFile,
  documentText,
  formatFile,
  formatName,
  formatVersion,
  type FormatDocument,
  layout,
  Opening,
  type RowCounts,
  Studio,
} from './format.js';
import { leftOutFile } from './left-out.js';

/** Writes one file, in parts of whole lines. */
export type FileWriter = (name: string, parts: AsyncIterable<string>) => Promise<void>;

/**
 * Writes the data of the installation as of one snapshot, row by row, in constant memory. Secrets, and
 * what only this installation can read, are left out (`readMe`).
 */
export async function exportInstallation(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  write: FileWriter,
): Promise<RowCounts> {
  const document = (name: string, text: string) => write(name, single(text));
  const counts = await withSnapshot(database, async (transaction) => {
    const now = await readNow(transaction);
    const artists = await listArtists(transaction);
    const counted = Object.fromEntries(layout.dataFiles.map((file) => [file, 0])) as RowCounts;
    const read: Record<DataFile, () => AsyncIterable<object>> = {
      'studio.json': () => single(() => readStudioDocument(transaction)),
      'hours.json': () =>
        single(async () => [
          ...(await readWeek(transaction)),
          // Two dates back, each time zone's today is included.
          ...(await listDatedDays(transaction, null, todayInZone('UTC', now - 2 * dayMs))),
        ]),
      'artists.json': () =>
        single(
          artists.map((artist) => {
            const days = [...(artist.week ?? []), ...artist.dated];
            return pick(Artists.items, { ...artist, week: days.length === 0 ? null : days });
          }),
        ),
      'openings.jsonl': () => mapAsync(streamOpenings(transaction), (row) => pick(Opening, row)),
      'bookings.jsonl': () => mapAsync(streamBookings(transaction), (row) => bookingLine(row, now)),
      'closures.jsonl': () => mapAsync(streamClosures(transaction), (row) => pick(Closure, row)),
    };
    for (const [name, text] of companionFiles()) await document(name, text);
    for (const file of layout.dataFiles) {
      const toText = file.endsWith('.jsonl') ? jsonLine : documentText;
      await write(
        file,
        mapAsync(read[file](), (row) => {
          counted[file] = (counted[file] ?? 0) + 1;
          return toText(row);
        }),
      );
    }
    for (const [name, columns] of Object.entries(csvColumns)) {
      const rows = read[name.replace('.csv', '.jsonl') as DataFile]();
      await write(name, csv(columns, rows));
    }
    await document(leftOutFile, documentText(await listLeftOut(transaction)));
    return counted;
  });
  const format = { format: formatName, version: formatVersion, rows: counts };
  await document(formatFile, documentText(format satisfies FormatDocument));
  await recordAction({ database }, actor, 'export', counts);
  return counts;
}

async function readStudioDocument(transaction: Transaction<Database>): Promise<object> {
  const studio = await readStudio(transaction);
  const { address, notices, other_addresses: others } = Studio.properties;
  return pick(Studio, {
    ...studio,
    notices: studio.notices.map((notice) => pick(notices.items, notice)),
    address: pick(address, { ...studio, from_date: studio.address_from }),
    other_addresses: (await readOtherAddresses(transaction)).map((each) =>
      pick(others.items, each),
    ),
    zone_data: await readZoneVersions(transaction),
  });
}

/** A hold that has lapsed is written as the expiry would record it. */
function bookingLine(row: BookingRow, now: number): BookingLine {
  const line = pick(Booking, {
    ...row,
    starts_at: row.starts_at_text,
    ends_at: row.ends_at_text,
    link_sha256: row.checkout_token_hash.toString('hex'),
  }) as BookingLine;
  return row.status === statusAt(row, now) ? line : asExpired(line);
}

/** The members of the schema, in its order, with instants as text. */
function pick({ properties }: TObject, values: object): object {
  const row = values as Record<string, unknown>;
  return Object.fromEntries(
    Object.keys(properties).map((name) => {
      const value = row[name];
      return [name, value instanceof Date ? value.toISOString() : value];
    }),
  );
}

/** A lapsed hold, as its expiry records it. */
export function asExpired(line: BookingLine): BookingLine {
  const { sequence, expires_at: expiredAt } = line;
  const change = { expired_at: expiredAt, changed_at: expiredAt, sequence: sequence + 1 };
  return { ...line, status: 'expired', ...change };
}

function jsonLine(row: object): string {
  return `${JSON.stringify(row)}\n`;
}

async function* csv(
  columns: readonly string[],
  rows: AsyncIterable<object>,
): AsyncGenerator<string> {
  // Excel reads UTF-8 only with a byte order mark.
  yield `\ufeff${csvLine(columns)}`;
  yield* mapAsync(rows, (row) => {
    const values = row as Record<string, string | number | null>;
    return csvLine(columns.map((column) => String(values[column] ?? '')));
  });
}

async function* mapAsync<Item, Result>(
  items: AsyncIterable<Item>,
  change: (item: Item) => Result,
): AsyncGenerator<Result> {
  for await (const item of items) yield change(item);
}

async function* single<Item>(item: Item | (() => Promise<Item>)): AsyncGenerator<Item> {
  yield typeof item === 'function' ? await (item as () => Promise<Item>)() : item;
}
