import type { Transaction } from 'kysely';
import type { Database } from '../../../database/rows/schema.js';
import {
  giveCalendarsTo,
  insertArtist,
  listArtists,
  updateArtist,
} from '../../../repositories/artists.js';
import { readStudio, updateStudio } from '../../../repositories/studio-settings.js';
import {
  findConflict,
  insertImported,
  raiseZoneVersions,
  setClosedDayChoices,
} from '../../../repositories/transfer.js';
import { replaceDay } from '../../../repositories/weeks.js';
import { hoursInterval } from '../../../schedule/busy-times.js';
import { isLive, sessionEndsAt, statusAt, zonedText } from '../../../schedule/slots.js';
import { asExpired } from './export.js';
import type {
  ArtistsDocument,
  BookingLine,
  ClosureLine,
  OpeningLine,
  StudioDocument,
  WeekDocument,
} from './format.js';

export interface Numbered<Row> {
  /** The number of the line. */
  number: number;
  row: Row;
}

/** A note about one row. */
export interface Note {
  /** `expired`: imported as expired, since the hold has lapsed. `noted`: imported unchanged. */
  outcome: 'refused' | 'expired' | 'noted';
  /** A clause, without personal data. */
  problem: string;
}

type NoteLine = (line: number, note: Note) => void;

export async function storeStudio(
  transaction: Transaction<Database>,
  { address, other_addresses: others, zone_data: zones, ...studio }: StudioDocument,
): Promise<void> {
  const { from_date: address_from, ...place } = address;
  const notices = JSON.stringify(studio.notices);
  await updateStudio(transaction, { ...studio, ...place, address_from, notices });
  if (others.length > 0) {
    await insertImported(transaction, 'studio_addresses', others, ['from_date']);
  }
  await raiseZoneVersions(transaction, zones);
}

/** The ids of artists by their slugs. */
export type ArtistIds = ReadonlyMap<string, number>;

/** Stores the artists of an installation that has one, without a name. */
export async function storeArtists(
  transaction: Transaction<Database>,
  artists: ArtistsDocument,
): Promise<ArtistIds> {
  const [first] = await listArtists(transaction);
  if (first === undefined) throw new Error('the installation has no artist');
  if (artists.length > 1) await giveCalendarsTo(transaction, first.id);
  for (const [index, { week: _, hidden_at: hiddenAt, ...artist }] of artists.entries()) {
    const row = { ...artist, hidden_at: hiddenAt === null ? null : new Date(hiddenAt) };
    await (index === 0 ? updateArtist(transaction, first.id, row) : insertArtist(transaction, row));
  }
  const ids = new Map((await listArtists(transaction)).map(({ slug, id }) => [slug, id]));
  for (const { slug, week } of artists) {
    const id = ids.get(slug);
    if (id === undefined) throw new Error('the artist was not stored');
    for (const { opens = null, closes = null, ...day } of week ?? []) {
      await replaceDay(transaction, { ...day, opens, closes }, id);
    }
  }
  return ids;
}

/** The column of a row's artist; none where 2.9 exported a studio with one. Null: of all. */
function artistColumn(
  artist: string | null | undefined,
  ids: ArtistIds,
): { artist_id?: number | null } {
  if (artist === undefined) return {};
  return { artist_id: artist === null ? null : (ids.get(artist) ?? null) };
}

/** Stores a batch of rows with a unique `key`, and resolves with the number of stored ones. */
function storer<Row extends object>(
  table: 'openings' | 'closures',
  key: readonly (keyof Row & string)[],
  problem: string,
  columns: (row: Row, ids: ArtistIds, timezone: string) => object,
) {
  return async (
    transaction: Transaction<Database>,
    ids: ArtistIds,
    batch: readonly Numbered<Row>[],
    note: NoteLine,
  ): Promise<number> => {
    const { timezone } = await readStudio(transaction);
    const rows = batch.map(({ row }) => columns(row, ids, timezone));
    const inserted = await insertImported(transaction, table, rows, key);
    for (const { number } of notInserted(batch, inserted, key)) {
      note(number, { outcome: 'refused', problem });
    }
    return inserted.length;
  };
}

export const storeOpenings = storer<OpeningLine>(
  'openings',
  ['date', 'time_slot'],
  'an earlier row opens this session',
  (row) => row,
);

export const storeClosures = storer<ClosureLine>(
  'closures',
  ['id'],
  'an earlier row has its id',
  ({ artist, from_time = null, to_time = null, ...row }, ids, timezone) => {
    const closure = { ...row, ...artistColumn(artist, ids), from_time, to_time };
    if (from_time === null || to_time === null) {
      return { ...closure, starts_at: null, ends_at: null };
    }
    const hours = { from: from_time, to: to_time };
    const { startsAt, endsAt } = hoursInterval(timezone, row.from_date, hours);
    return { ...closure, starts_at: new Date(startsAt), ends_at: new Date(endsAt) };
  },
);

/** `timezone` and `week` are the studio's, where they could be read. */
export interface StudioFacts {
  now: number;
  timezone: string | null;
  ids: ArtistIds;
  week: WeekDocument;
}

export async function storeBookings(
  transaction: Transaction<Database>,
  { now, timezone, ids, week }: StudioFacts,
  batch: readonly Numbered<BookingLine>[],
  note: NoteLine,
): Promise<number> {
  const present = batch.map(({ number, row }) => ({ number, row: presentRow(row, now) }));
  const rows = present.map(({ row }) => columnsOf(row, ids, week));
  const inserted = await insertImported(transaction, 'bookings', rows, ['id']);
  const left = new Set(notInserted(present, inserted, ['id']));
  const chosen = present.filter((each) => !left.has(each));
  await setClosedDayChoices(
    transaction,
    chosen.map(({ row }) => row),
  );
  for (const [index, each] of present.entries()) {
    const { number, row } = each;
    if (left.has(each)) {
      note(number, { outcome: 'refused', problem: await conflictOf(transaction, row) });
    } else if (row !== batch[index]?.row) {
      note(number, { outcome: 'expired', problem: `it was held until ${row.expires_at}` });
    } else if (isToCome(row, now) && timezone !== null && row.timezone !== timezone) {
      const problem = `its time zone is ${row.timezone}, not the studio's: it keeps its instant`;
      note(number, { outcome: 'noted', problem });
    }
  }
  return inserted.length;
}

/** The present row: a hold may have lapsed since the export. */
function presentRow(row: BookingLine, now: number): BookingLine {
  const { status, expires_at } = row;
  return statusAt({ status, expires_at: new Date(expires_at) }, now) === status
    ? row
    : asExpired(row);
}

function isToCome({ status, starts_at }: BookingLine, now: number): boolean {
  return isLive(status) && Date.parse(starts_at) > now;
}

/** The columns of a row, without secrets and the caller. */
function columnsOf(
  { link_sha256: hash, artist, ...row }: BookingLine,
  ids: ArtistIds,
  week: WeekDocument,
): object {
  // An export of 2.9 has no end of a booking that a version before made.
  const endsAt =
    row.ends_at ??
    zonedText(sessionEndsAt(Date.parse(row.starts_at), row.timezone, week), row.timezone);
  return {
    ...row,
    ends_at: endsAt,
    language: row.language ?? null,
    client_note: row.client_note ?? null,
    is_artist_chosen: row.is_artist_chosen ?? false,
    ...artistColumn(artist, ids),
    // This holds until all are there (`findOverlaps`).
    may_overlap: isLive(row.status),
    starts_at_text: row.starts_at,
    ends_at_text: endsAt,
    checkout_token_hash: `\\x${hash}`,
    // No key opens this: only the hash of the link is known.
    checkout_token_sealed: '\\x',
  };
}

/** The rows that were not inserted; the first of several with one key was. */
function notInserted<Row>(
  batch: readonly Numbered<Row>[],
  inserted: readonly string[],
  key: readonly (keyof Row)[],
): Numbered<Row>[] {
  // A UUID may have been written in upper case.
  const keys = new Set(inserted.map((each) => each.toLowerCase()));
  return batch.filter(({ row }) => {
    const values = key.map((member) => String(row[member]));
    return !keys.delete(values.join(' ').toLowerCase());
  });
}

async function conflictOf(transaction: Transaction<Database>, row: BookingLine): Promise<string> {
  const conflict = await findConflict(transaction, row);
  if (conflict === null) return 'an earlier row has its link_sha256';
  if (conflict.isSame) return 'an earlier row has its id';
  return `its time, ${row.date} at ${row.time_slot}, is taken by booking ${conflict.id}`;
}
