import type { Transaction } from 'kysely';
import type { BookingRow, ClosureRow, Database } from '../../database/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { readStudio, readWeek } from '../../repositories/studio-settings.js';
import {
  everyBooking,
  everyClosure,
  everyOpening,
  inSnapshot,
  type OpeningRow,
  readNow,
  readOtherAddresses,
  readZoneVersions,
} from '../../repositories/transfer.js';
import { statusAt } from '../../schedule/slots.js';
import { recordAction } from '../audit.js';
import {
  type BookingLine,
  type ClosureLine,
  companionFiles,
  csvColumns,
  type DataFile,
  dataFiles,
  documentText,
  formatFile,
  formatName,
  type FormatDocument,
  type OpeningLine,
  type StudioDocument,
} from './format.js';

/** Writes one file, in parts of whole lines. */
export type FileWriter = (name: string, parts: AsyncIterable<string>) => Promise<void>;

/** How many rows each file of data has. */
export type RowCounts = FormatDocument['rows'];

/**
 * Writes the data of the installation as of one snapshot, each row at once: memory does not grow with
 * their number. Secrets, and what only this installation can read, are left out (`readMe`).
 */
export async function exportInstallation(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  write: FileWriter,
): Promise<RowCounts> {
  const counts = Object.fromEntries(dataFiles.map((file) => [file, 0])) as RowCounts;
  const document = (name: string, text: string) => write(name, one(text));
  await inSnapshot(database, async (transaction) => {
    const now = await readNow(transaction);
    const read: Record<DataFile, () => AsyncIterable<object>> = {
      'studio.json': () => one(() => readStudioDocument(transaction)),
      'hours.json': () => one(() => readWeek(transaction)),
      'openings.jsonl': () => map(everyOpening(transaction), openingLine),
      'bookings.jsonl': () => map(everyBooking(transaction), (row) => bookingLine(row, now)),
      'closures.jsonl': () => map(everyClosure(transaction), closureLine),
    };
    for (const [name, text] of companionFiles()) await document(name, text);
    for (const file of dataFiles) {
      const toText = file.endsWith('.jsonl') ? jsonLine : documentText;
      await write(
        file,
        map(read[file](), (row) => {
          counts[file] += 1;
          return toText(row);
        }),
      );
    }
    for (const [name, columns] of Object.entries(csvColumns)) {
      const rows = read[name.replace('.csv', '.jsonl') as DataFile]();
      await write(name, csv(columns, rows));
    }
  });
  const format = { format: formatName, version: 1, rows: counts } satisfies FormatDocument;
  await document(formatFile, documentText(format));
  await recordAction({ database }, actor, 'export', counts);
  return counts;
}

async function readStudioDocument(transaction: Transaction<Database>): Promise<StudioDocument> {
  const { address_from, ...studio } = await readStudio(transaction);
  const others = await readOtherAddresses(transaction);
  const { name, description, timezone, email, phone, website } = studio;
  return {
    name,
    description,
    timezone,
    email,
    phone,
    website,
    notices: studio.notices.map(({ title, text }) => ({ title, text })),
    address: addressOf({ ...studio, from_date: address_from }),
    other_addresses: others.map(addressOf),
    zone_data: await readZoneVersions(transaction),
  };
}

type Address<From> = Omit<StudioDocument['address'], 'from_date'> & { from_date: From };

function addressOf<From>(address: Address<From>): Address<From> {
  const { from_date, street, city, region, postal_code, country } = address;
  return { from_date, street, city, region, postal_code, country };
}

function openingLine({ date, time_slot, created_at }: OpeningRow): OpeningLine {
  return { date, time_slot, created_at: created_at.toISOString() };
}

function closureLine(row: ClosureRow): ClosureLine {
  const { id, from_date, to_date, time_slot, reason, created_at } = row;
  return { id, from_date, to_date, time_slot, reason, created_at: created_at.toISOString() };
}

/** A hold that has lapsed is written as the expiry would record it. */
function bookingLine(row: BookingRow, now: number): BookingLine {
  const text = (instant: Date | null) => instant?.toISOString() ?? null;
  const line: BookingLine = {
    id: row.id,
    sequence: row.sequence,
    status: row.status,
    date: row.date,
    time_slot: row.time_slot,
    starts_at: row.starts_at_text,
    ends_at: row.ends_at_text,
    timezone: row.timezone,
    zone_data_version: row.zone_data_version,
    label: row.label,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    confirmed_at: text(row.confirmed_at),
    cancelled_at: text(row.cancelled_at),
    expired_at: text(row.expired_at),
    moved_at: text(row.moved_at),
    no_show_at: text(row.no_show_at),
    changed_at: text(row.changed_at),
    channel: row.channel,
    platform: row.platform,
    confirmed_via: row.confirmed_via,
    moves_while_pending: row.moves_while_pending,
    moves_once_confirmed: row.moves_once_confirmed,
    cancellation_reason: row.cancellation_reason,
    closed_day_choice: row.closed_day_choice,
    studio_word: row.studio_word,
    studio_note: row.studio_note,
    reminders_stopped_at: text(row.reminders_stopped_at),
    code_proven_at: text(row.code_proven_at),
    name: row.name,
    email: row.email,
    phone: row.phone,
    pronouns: row.pronouns,
    idea: row.idea,
    link_sha256: row.checkout_token_hash.toString('hex'),
  };
  return row.status !== statusAt(row, now) ? expired(line) : line;
}

/** A lapsed hold, as its expiry records it. */
export function expired(line: BookingLine): BookingLine {
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
  yield csvLine(columns);
  yield* map(rows, (row) => {
    const values = row as Record<string, string | number | null>;
    return csvLine(columns.map((column) => String(values[column] ?? '')));
  });
}

/** RFC 4180. Strangers write names and ideas: none of them is to be a formula of a spreadsheet. */
function csvLine(values: readonly string[]): string {
  const fields = values.map((value) => {
    const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${fields.join(',')}\r\n`;
}

async function* map<Item, Result>(
  items: AsyncIterable<Item>,
  change: (item: Item) => Result,
): AsyncGenerator<Result> {
  for await (const item of items) yield change(item);
}

async function* one<Item>(item: Item | (() => Promise<Item>)): AsyncGenerator<Item> {
  yield typeof item === 'function' ? await (item as () => Promise<Item>)() : item;
}
