import type { Transaction } from 'kysely';
import type { NewClosure } from '../../database/rows/results.js';
import type { BookingRow, ClosureRow, Database } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { listArtists } from '../../repositories/artists.js';
import { recordAudit } from '../../repositories/audit.js';
import {
  listUpcomingBookingsOfSlots,
  type SlotSelection,
} from '../../repositories/booking-search.js';
import { forgetKept, recordLeftUndecided } from '../../repositories/closed-days.js';
import {
  deleteClosure,
  findClosure,
  findSameClosure,
  insertClosure,
  listDecidedWithClosure,
  listClosures,
} from '../../repositories/closures.js';
import { recordCalendarChange } from '../../repositories/events.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import { readStudio } from '../../repositories/studio-settings.js';
import { intervalOf, placeClosure } from './blocks.js';
import type { OfArtist } from './booking-record.js';
import { type ClosureToAdd, type Decided, type Decision, decideAll } from './closed-days.js';
import { studioToday } from './settings.js';
import { badHours, lastBeforeFirst } from './words.js';

type ClosureServices = Pick<DatabaseServices, 'database' | 'clock'>;

/** Characters of a closure's reason. */
export const maxClosureReasonLength = 200;

/** The closures from today on, or all. */
export async function readClosures(
  context: ClosureServices,
  { past }: { past: boolean },
): Promise<ClosureRow[]> {
  return listClosures(context.database, past ? '0001-01-01' : await studioToday(context));
}

/** The live bookings that a closure would meet: those whose session has not begun. */
export async function readBookingsToClose(
  { database }: Pick<ClosureServices, 'database'>,
  closure: ClosureToAdd,
): Promise<BookingRow[]> {
  const { timezone } = await readStudio(database);
  return listUpcomingBookingsOfSlots(database, placeClosure(timezone, closure));
}

export interface ClosureRecord {
  closure: ClosureRow;
  /** The live bookings in it whose session has not begun. */
  met: BookingRow[];
  /** Others that were moved or cancelled when it was added. */
  gone: BookingRow[];
}

/** A closure with its bookings. Null if it does not exist. */
export async function readClosureRecord(
  { database }: Pick<ClosureServices, 'database'>,
  id: string,
): Promise<ClosureRecord | null> {
  const closure = await findClosure(database, id);
  if (closure === null) return null;
  const {
    from_date: fromDate,
    to_date: toDate,
    time_slot: timeSlot,
    artist_id: artistId,
  } = closure;
  const slots = { fromDate, toDate, timeSlot, artistId, interval: intervalOf(closure) };
  const met = await listUpcomingBookingsOfSlots(database, slots);
  const decided = await listDecidedWithClosure(database, id);
  const gone = decided.filter((booking) => !met.some((each) => each.id === booking.id));
  return { closure, met, gone };
}

/** Sentences about mistakes in a closure, by member. */
export type ClosureMistakes = Partial<Record<'toDate' | 'hours' | 'reason', string>>;

/** The mistakes that need no clock. */
export function findClosureMistakes({
  fromDate,
  toDate,
  timeSlot,
  hours = null,
  reason,
}: NewClosure): ClosureMistakes {
  return {
    ...(toDate < fromDate && { toDate: lastBeforeFirst }),
    ...(hours !== null && hours.to <= hours.from && { hours: badHours.order }),
    ...(hours !== null && timeSlot !== null && { hours: badHours.session }),
    ...(hours !== null && toDate !== fromDate && { hours: badHours.dates }),
    ...([...reason].length > maxClosureReasonLength && {
      reason: `The reason can have at most ${maxClosureReasonLength} characters.`,
    }),
    ...(reason.includes('\0') && {
      reason: 'The reason contains a character that cannot be stored.',
    }),
  };
}

export interface DecidingOptions {
  /** The decisions about the bookings in it, each as the caller saw it. */
  decisions?: readonly Decision[];
  /** The choice for the others: they stay, undecided, by default. Nobody is asked about a hold. */
  others?: 'ask' | 'cancel' | 'keep' | undefined;
  /** The studio's words for the people, in every mail. */
  word?: string | null;
  /** Whose bookings may be decided; null: anybody's. */
  artistId?: number | null | undefined;
}

export type AddedClosure =
  | {
      /** `exists`: the dates were closed; decisions are carried out all the same. */
      outcome: 'added' | 'exists';
      closure: ClosureRow;
      decided: Decided[];
      /** The live bookings in it whose session has not begun, after the decisions. */
      met: BookingRow[];
    }
  | { outcome: 'refused'; mistakes: ClosureMistakes };

/**
 * Closes slots from now on, and carries out the studio's decisions about the live bookings in them whose
 * session has not begun, holds included, in one commit. One mail lists the confirmed ones that are left
 * undecided.
 */
export async function addClosure(
  context: ClosureServices & Pick<DatabaseServices, 'config'>,
  actor: string,
  closure: NewClosure,
  options: DecidingOptions = {},
): Promise<AddedClosure> {
  const mistakes = findClosureMistakes(closure);
  if (mistakes.toDate === undefined && closure.toDate < (await studioToday(context))) {
    mistakes.toDate = `${closure.toDate} is in the past.`;
  }
  if (Object.keys(mistakes).length > 0) return { outcome: 'refused', mistakes };
  return context.database.transaction().execute(async (transaction) => {
    // Every concurrent hold or move is either committed and seen here, or sees the closure.
    await lockSlots(transaction);
    const { timezone } = await readStudio(transaction);
    const placed = placeClosure(timezone, closure);
    if (placed.interval !== null && placed.interval.startsAt === placed.interval.endsAt) {
      return { outcome: 'refused', mistakes: { hours: badHours.skipped } };
    }
    const same = await findSameClosure(transaction, closure);
    const added = same ?? (await insertClosure(transaction, placed));
    const isNew = same === null;
    const about = await decideAbout(transaction, context.config, actor, placed, options, isNew);
    const { decided, met } = about;
    if (same !== null) return { outcome: 'exists', closure: same, decided, met };
    await recordCalendarChange(transaction, 'closures add');
    await recordAudit(transaction, actor, 'closures add', {
      ...describeClosure(added, await listArtists(transaction)),
      ...auditedDecisions(decided),
    });
    return { outcome: 'added', closure: added, decided, met };
  });
}

export interface DecidedAbout {
  decided: Decided[];
  /** The live bookings there whose session has not begun, after the decisions. */
  met: BookingRow[];
}

/**
 * Carries out decisions about the live bookings of slots that the transaction has closed, under the lock
 * of `lockSlots`. `isNew`: the slots were open before, so the others get a decision, too, and one mail
 * lists the confirmed ones that are left undecided.
 */
export async function decideAbout(
  transaction: Transaction<Database>,
  config: DatabaseServices['config'],
  actor: string,
  slots: SlotSelection,
  { decisions = [], others, ...options }: DecidingOptions,
  isNew: boolean,
): Promise<DecidedAbout> {
  const live = await listUpcomingBookingsOfSlots(transaction, slots);
  const all = [...decisions, ...(isNew ? decisionsFor(live, decisions, others) : [])];
  const decided = await decideAll(transaction, config, actor, all, options);
  const met = await listUpcomingBookingsOfSlots(transaction, slots);
  const left = met.filter(isUndecided).map(({ id }) => id);
  if (isNew && left.length > 0) await recordLeftUndecided(transaction, left);
  return { decided, met };
}

/** The bookings that were decided, for the audit. */
export function auditedDecisions(decided: readonly Decided[]): { decided_bookings: string[] } {
  const done = decided.filter(({ outcome }) => outcome === 'done');
  return { decided_bookings: done.map(({ booking }) => booking.id) };
}

/** Whether a booking in a closure is confirmed, and the studio has not decided about it yet. */
export function isUndecided({ status, closed_day_choice }: BookingRow): boolean {
  return status === 'confirmed' && closed_day_choice === null;
}

function decisionsFor(
  live: readonly BookingRow[],
  decided: readonly Decision[],
  choice: DecidingOptions['others'],
): Decision[] {
  if (choice === undefined) return [];
  return live
    .filter(({ id, status }) => {
      const canBe = choice !== 'ask' || status === 'confirmed';
      return canBe && !decided.some((decision) => decision.id === id);
    })
    .map(({ id, sequence }) => ({ id, sequence, choice }));
}

/** Deletes a closure. Null if it does not exist, or is not the artist's. */
export async function removeClosure(
  context: ClosureServices,
  actor: string,
  id: string,
  { artistId = null }: OfArtist = {},
): Promise<ClosureRow | null> {
  return context.database.transaction().execute(async (transaction) => {
    const closure = await deleteClosure(transaction, id, artistId);
    if (closure === null) return null;
    await forgetKept(transaction);
    await recordCalendarChange(transaction, 'closures remove');
    const details = describeClosure(closure, await listArtists(transaction));
    await recordAudit(transaction, actor, 'closures remove', details);
    return closure;
  });
}

/** A closure for the audit: the reason is left out, since free text may contain personal data. */
export function describeClosure(
  { id, from_date, to_date, time_slot, from_time, to_time, artist_id }: ClosureRow,
  artists: readonly { id: number; slug: string }[],
): Record<string, unknown> {
  const hours = from_time === null ? {} : { from_time, to_time };
  const artist = artists.find((each) => each.id === artist_id)?.slug;
  return { closure_id: id, from_date, to_date, time_slot, ...hours, ...(artist && { artist }) };
}
