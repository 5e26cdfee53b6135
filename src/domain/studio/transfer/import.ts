import type { Transaction } from 'kysely';
import type { Database } from '../../../database/rows/schema.js';
import type { DatabaseServices } from '../../../database/services.js';
import { recordAudit } from '../../../repositories/audit.js';
import { forgetKept } from '../../../repositories/closed-days.js';
import { announceDueCalendars } from '../../../repositories/due-mail.js';
import { recordCalendarChange } from '../../../repositories/events.js';
import { lockSlots } from '../../../repositories/slot-taking.js';
import {
  disableTimeouts,
  findOverlaps,
  insertReminders,
  keepSessionsOfHidden,
  type LeftOut,
  listFilledTables,
  readNow,
  recordLeftOut,
} from '../../../repositories/transfer.js';
import { makeCalendarsDue } from '../../../repositories/watched-calendars.js';
import { replaceDay } from '../../../repositories/weeks.js';
import {
  type ArtistsDocument,
  type BookingLine,
  type ClosureLine,
  type DataFile,
  formatFile,
  type FormatDocument,
  formatName,
  formatVersion,
  layout,
  type Layout,
  layoutWithoutArtists,
  type OpeningLine,
  type RowCounts,
  type StudioDocument,
  type WeekDocument,
} from './format.js';
import { leftOutFile, leftOutSchema } from './left-out.js';
import {
  type Check,
  checkArtists,
  checkBooking,
  checkClosure,
  checkStudio,
  checkWeek,
  rowReader,
  notJson,
  tooLarge,
  wholeText,
} from './rules.js';
import {
  type Note,
  type ArtistIds,
  type Numbered,
  storeArtists,
  storeBookings,
  storeClosures,
  storeOpenings,
  storeStudio,
} from './store.js';

/** The lines of a file, with their line feeds; none of `leftOutFile` where it is missing. */
export type FileLines = (name: string) => AsyncIterable<Uint8Array>;

export interface Finding extends Note {
  file: string;
  /** From 1; null for a whole file. */
  line: number | null;
}

export interface ImportReport {
  /** `refused`: nothing was imported. `dry_run`: all but refused rows could be. */
  outcome: 'imported' | 'dry_run' | 'refused';
  /** The rows that were imported, or would be. */
  rows: RowCounts;
  refused: number;
  /** The first 1,000, in the order of the import. */
  findings: Finding[];
  furtherFindings: number;
  /** The data left out; empty also if the export's version does not list them. */
  leftOut: LeftOut[];
}

export type Import =
  | ImportReport
  /** `filled`: the tables that a first start leaves empty. */
  | { outcome: 'in_use'; filled: string[] }
  | { outcome: 'unreadable'; problem: string };

export interface ImportOptions {
  dryRun: boolean;
  /** Imports the other rows if some are refused. */
  skipRefused: boolean;
  /** Once aborted, nothing is committed: the import throws the signal's reason. */
  signal: AbortSignal;
}

const maxFindings = 1_000;
const batchSize = 500;

/**
 * Imports an export into an installation that has nothing but what a first start inserts: everything in
 * one transaction, or nothing. Past changes are neither mailed nor delivered; one event announces the new
 * calendar. Reminders of sessions to come are made.
 */
export async function importInstallation(
  { database, config }: Pick<DatabaseServices, 'database' | 'config'>,
  actor: string,
  linesOf: FileLines,
  { dryRun, skipRefused, signal }: ImportOptions,
): Promise<Import> {
  const formatText = await wholeText(linesOf(formatFile));
  if (formatText === null) {
    return { outcome: 'unreadable', problem: `${formatFile}: ${tooLarge}.` };
  }
  const found = layoutOfText(formatText);
  const format = rowReader<FormatDocument>(found.formatSchema)(formatText);
  if ('problem' in format) {
    const problem = `${formatFile}: ${format.problem}. This version reads "${formatName}", versions 1 and ${formatVersion}.`;
    return { outcome: 'unreadable', problem };
  }
  const { rows: expected } = format.row;
  const leftOut = rowReader<LeftOut[]>(leftOutSchema)(
    (await wholeText(linesOf(leftOutFile), '[]')) ?? Buffer.of(),
  );
  if ('problem' in leftOut) {
    return { outcome: 'unreadable', problem: `${leftOutFile}: ${leftOut.problem}.` };
  }
  const transaction = await database.startTransaction().execute();
  try {
    await disableTimeouts(transaction);
    await lockSlots(transaction);
    const filled = await listFilledTables(transaction);
    if (filled.length > 0) {
      await transaction.rollback().execute();
      return { outcome: 'in_use', filled };
    }
    const { report, isIncomplete } = await importRows(transaction, linesOf, {
      layout: found,
      expected,
      signal,
    });
    const isRefused = isIncomplete || (report.refused > 0 && !skipRefused);
    if (isRefused || dryRun) {
      await transaction.rollback().execute();
      return { ...report, leftOut: leftOut.row, outcome: isRefused ? 'refused' : 'dry_run' };
    }
    await insertReminders(transaction, config.reminderHours);
    await makeCalendarsDue(transaction);
    await announceDueCalendars(transaction);
    await recordCalendarChange(transaction, 'import');
    await recordLeftOut(transaction, leftOut.row);
    await recordAudit(transaction, actor, 'import', { ...report.rows, refused: report.refused });
    signal.throwIfAborted();
    await transaction.commit().execute();
    return { ...report, leftOut: leftOut.row, outcome: 'imported' };
  } catch (error) {
    if (!transaction.isCommitted && !transaction.isRolledBack) {
      // It fails where the connection is lost: then the server rolls back.
      await transaction
        .rollback()
        .execute()
        .catch(() => undefined);
    }
    throw error;
  }
}

/** `isIncomplete`: the refusal concerns more than rows that can be left out. */
async function importRows(
  transaction: Transaction<Database>,
  linesOf: FileLines,
  {
    layout: { schemas, dataFiles },
    expected,
    signal,
  }: { layout: Layout; expected: RowCounts; signal: AbortSignal },
): Promise<{ report: Omit<ImportReport, 'outcome' | 'leftOut'>; isIncomplete: boolean }> {
  const rows = Object.fromEntries(dataFiles.map((file) => [file, 0])) as RowCounts;
  const report = { rows, refused: 0, findings: [] as Finding[], furtherFindings: 0 };
  let isIncomplete = false;
  const now = await readNow(transaction);
  const find = (finding: Finding): void => {
    if (finding.outcome === 'refused') report.refused += 1;
    if (report.findings.length < maxFindings) report.findings.push(finding);
    else report.furtherFindings += 1;
  };

  async function importDocument<Document extends object>(
    file: DataFile,
    check: Check<Document>,
    store: (document: Document) => Promise<void>,
  ): Promise<Document | null> {
    const readChecked = rowReader<Document>(schemas[file] ?? {}, (row) => check(row, now));
    const text = await wholeText(linesOf(file));
    const read = text === null ? { problem: tooLarge } : readChecked(text);
    if ('problem' in read) {
      isIncomplete = true;
      find({ file, line: null, outcome: 'refused', ...read });
      return null;
    }
    await store(read.row);
    rows[file] = 1;
    return read.row;
  }

  async function importLines<Line extends object>(
    file: DataFile,
    check: Check<Line>,
    store: (batch: Numbered<Line>[], note: (line: number, note: Note) => void) => Promise<number>,
  ): Promise<void> {
    let stored = 0;
    const note = (line: number, noted: Note) => find({ file, line, ...noted });
    const readChecked = rowReader<Line>(schemas[file] ?? {}, (row) => check(row, now));
    let number = 0;
    let batch: Numbered<Line>[] = [];
    for await (const text of linesOf(file)) {
      number += 1;
      signal.throwIfAborted();
      const read = readChecked(text);
      if ('problem' in read) {
        isIncomplete ||= read.problem === notJson;
        find({ file, line: number, outcome: 'refused', ...read });
        continue;
      }
      batch.push({ number, row: read.row });
      if (batch.length < batchSize) continue;
      stored += await store(batch, note);
      batch = [];
    }
    if (batch.length > 0) stored += await store(batch, note);
    rows[file] = stored;
    if (number === expected[file]) return;
    isIncomplete = true;
    const problem = `it has ${number} rows, and ${expected[file]} by ${formatFile}`;
    find({ file, line: null, outcome: 'refused', problem });
  }

  const studio = await importDocument<StudioDocument>('studio.json', checkStudio, (document) =>
    storeStudio(transaction, document),
  );
  const week = await importDocument<WeekDocument>('hours.json', checkWeek, async (days) => {
    for (const day of days) await replaceDay(transaction, day);
  });
  let ids: ArtistIds = new Map();
  let isBefore31 = true;
  if (dataFiles.includes('artists.json')) {
    await importDocument<ArtistsDocument>('artists.json', checkArtists, async (artists) => {
      ids = await storeArtists(transaction, artists);
      isBefore31 = artists.some(({ is_new }) => is_new === undefined);
    });
  }
  const ofKnownArtist =
    <Line extends { artist?: string | null }>(check: Check<Line>): Check<Line> =>
    (row) =>
      check(row, now) ??
      (row.artist == null || ids.has(row.artist)
        ? null
        : 'artist is not among those of artists.json');
  await importLines<OpeningLine>(
    'openings.jsonl',
    () => null,
    (...batch) => storeOpenings(transaction, ids, ...batch),
  );
  const timezone = studio?.timezone ?? null;
  await importLines<BookingLine>('bookings.jsonl', ofKnownArtist(checkBooking), (...batch) =>
    storeBookings(transaction, { now, timezone, ids, week: week ?? [] }, ...batch),
  );
  await findOverlaps(transaction);
  await importLines<ClosureLine>('closures.jsonl', ofKnownArtist(checkClosure), (...batch) =>
    storeClosures(transaction, ids, ...batch),
  );
  if (isBefore31) {
    await keepSessionsOfHidden(transaction);
    await forgetKept(transaction);
  }
  return { report, isIncomplete };
}

/** That without artists where the text names no file of them; what else is wrong is found by its schema. */
function layoutOfText(text: Uint8Array): Layout {
  const rows = { type: 'object', required: ['artists.json'] };
  const hasArtists = rowReader({ type: 'object', required: ['rows'], properties: { rows } });
  return 'row' in hasArtists(text) ? layout : layoutWithoutArtists;
}
