import type { Transaction } from 'kysely';
import { studioData } from '../../board/calendar-state.js';
import type { Database } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import {
  type BookingOfSlot,
  lastBooked,
  listBookingsEverOn,
  type PersonKey,
  personKeys,
} from '../../repositories/booking-imports.js';
import { setNote } from '../../repositories/corrections.js';
import { leaveUnmailed } from '../../repositories/mail-dispatch.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import { loadCalendar } from '../../repositories/studio.js';
import { isThere } from '../../schedule/calendar.js';
import { addDays } from '../../schedule/dates.js';
import { isLive, isSameSlot, type Slot, slotOf } from '../../schedule/slots.js';
import type { Keyring } from '../../secrets/keyring.js';
import {
  type GivenPerson,
  isAllowed,
  personDetails,
  type PersonMember,
  personMembers,
} from '../booking/person.js';
import { addLocked, findSlotForStudio } from './bookings.js';
import type { StudioSchedule } from './settings.js';

type ImportServices = Pick<DatabaseServices, 'database' | 'config'>;

export interface ImportOptions {
  /** Whether only to report the outcome of each row. */
  dryRun: boolean;
  /** Whether to import the other rows if one is refused. */
  skipRefused: boolean;
}

/** Whether the import was done, and the outcome of each row, in order. */
export interface Import<Result> {
  isDone: boolean;
  results: Result[];
}

export interface BookingToImport {
  slot: Slot;
  person: GivenPerson;
  /** Null: any artist who is free. */
  artistId: number | null;
  /** The note for the studio alone. */
  note: string | null;
  /** Whether its person may have two sessions at one time. */
  isSecondChair: boolean;
}

export type ImportedBooking =
  /** `id`: null unless it was done. */
  | { outcome: 'imported'; id: string | null; artistId: number; schedule: StudioSchedule }
  /**
   * The same person was booked into the slot before, `id` null if by this file: `isStillBooked` unless it
   * was moved or cancelled since.
   */
  | { outcome: 'duplicate'; id: string | null; isStillBooked: boolean }
  | { outcome: 'past' }
  /** Refused; `by`: the booking that has the slot. */
  | { outcome: 'taken'; by: string | null }
  /** Refused: its person is booked at that time with another artist; `by` is that booking. */
  | { outcome: 'double_booked'; by: string | null }
  | { outcome: 'no_such_slot' }
  | { outcome: 'invalid'; member: PersonMember };

const refusals: readonly string[] = ['taken', 'double_booked', 'no_such_slot', 'invalid'];

/**
 * Adds confirmed bookings as the studio does (`addBooking`), all in one commit, or none if one is
 * refused. A row whose person was booked into the slot before changes nothing, so that a file can be
 * imported again. Nobody is mailed, reminders included, unless `isMailed`.
 */
export async function importBookings(
  { database, ...services }: ImportServices & { keyring: Keyring },
  actor: string,
  rows: readonly BookingToImport[],
  { dryRun, skipRefused, isMailed }: ImportOptions & { isMailed: boolean },
): Promise<Import<ImportedBooking>> {
  return database.transaction().execute(async (transaction) => {
    if (!dryRun) await lockSlots(transaction);
    const judged = await judge(transaction, services.config, rows);
    const isRefused = judged.some(({ result }) => refusals.includes(result.outcome));
    const isDone = !dryRun && (skipRefused || !isRefused);
    const added: string[] = [];
    for (const { result, found, row } of isDone ? judged : []) {
      if (result.outcome !== 'imported' || found.outcome !== 'free') continue;
      const to = { ...found, artistId: result.artistId };
      const outcome = await addLocked(transaction, services, actor, to, row.person);
      // A slot that is free under the lock stays free.
      if (outcome.outcome !== 'added') throw new Error('a free slot was taken under the lock');
      result.id = outcome.booking.id;
      if (row.note !== null) await setNote(transaction, 'studio_note', [result.id], row.note);
      added.push(result.id);
    }
    if (!isMailed && added.length > 0) await leaveUnmailed(transaction, added);
    return { isDone, results: judged.map(({ result }) => result) };
  });
}

/** The outcome of each row, if none is refused. */
async function judge(
  transaction: Transaction<Database>,
  config: ImportServices['config'],
  rows: readonly BookingToImport[],
) {
  const calendar = await loadCalendar(transaction);
  const data = studioData(calendar, config);
  const shown = data.artists.filter(({ isHidden }) => !isHidden);
  const last = await lastBooked(transaction);
  const keys = await personKeys(
    transaction,
    rows.map(({ person }) => personDetails(person)),
  );
  const days = shown.length > 1 ? nearDays : [0];
  const dates = rows.flatMap(({ slot }) => days.map((day) => addDays(slot.date, day)));
  const before = new Map<string, Known[]>();
  const remember = (booking: Known) => {
    const { date } = booking.wasIn;
    before.set(date, [...(before.get(date) ?? []), booking]);
  };
  (await listBookingsEverOn(transaction, [...new Set(dates)])).forEach(remember);
  return rows.map((row, index) => {
    const found = findSlotForStudio(calendar, config, row.slot, data);
    const key = keys[index];
    if (key === undefined) throw new Error('a person has no key');
    const there = shown.filter((artist) => isThere(artist, row.slot.date)).map(({ id }) => id);
    const result = judgeRow({ ...row, key }, found, before, { shown: there, last });
    if (result.outcome === 'imported' && found.outcome === 'free') {
      const { startsAt, endsAt } = found.slot;
      const wasIn = { date: row.slot.date, time_slot: row.slot.timeSlot };
      const present = { ...wasIn, wasIn, startsAt, endsAt, status: 'confirmed' } as const;
      last.set(result.artistId, Number.MAX_SAFE_INTEGER - rows.length + index);
      const others = { id: null, artist_id: result.artistId, isThere: true, isCorrected: false };
      remember({ ...key, ...present, ...others });
    }
    return { result, found, row };
  });
}

/** A known booking; one of the import has no id yet. */
type Known = Omit<BookingOfSlot, 'id'> & { id: string | null };

/** The distances in days: where no artist is named, their sessions within 14 days count. */
const nearDays = Array.from({ length: 29 }, (_, index) => index - 14);

/** The known bookings by the date of their slot. */
type KnownBookings = ReadonlyMap<string, readonly Known[]>;

interface BookableArtists {
  /** The artists in the studio's order, without those who are hidden or not there then. */
  shown: readonly number[];
  /** The ranks of `lastBooked`; artists booked by the file come after these. */
  last: ReadonlyMap<number, number>;
}

function judgeRow(
  { slot, person, key, artistId, isSecondChair }: BookingToImport & { key: PersonKey },
  found: ReturnType<typeof findSlotForStudio>,
  before: KnownBookings,
  { shown, last }: BookableArtists,
): ImportedBooking {
  if (found.outcome === 'over') return { outcome: 'past' };
  if (found.outcome !== 'free') return { outcome: 'no_such_slot' };
  const member = personMembers.find((each) => {
    const text = person[each];
    return typeof text === 'string' && !isAllowed(each, text);
  });
  if (member !== undefined) return { outcome: 'invalid', member };
  const isInSlot = ({ status, ...booking }: Known) =>
    isLive(status) && isSameSlot(slotOf(booking), slot);
  const isOthers = (booking: Known) =>
    artistId !== null && booking.artist_id !== artistId && isInSlot(booking);
  const onDate = before.get(slot.date) ?? [];
  const same = onDate.filter(
    (booking) => isSameSlot(slotOf(booking.wasIn), slot) && isSamePerson(booking, key),
  );
  const own = same.filter((booking) => !isOthers(booking));
  const duplicate =
    own.find(isInSlot) ??
    own[0] ??
    (isSecondChair ? undefined : same.find(({ id }) => id !== null));
  if (duplicate !== undefined) {
    const { id } = duplicate;
    return { outcome: 'duplicate', id, isStillBooked: isInSlot(duplicate) };
  }
  const live = onDate.filter(({ isThere }) => isThere);
  const inSlot = live.filter(isInSlot);
  const free = (artistId === null ? shown : [artistId]).filter(
    (id) => !inSlot.some((booking) => booking.artist_id === id),
  );
  const { startsAt, endsAt } = found.slot;
  const around = live.filter((booking) => booking.startsAt < endsAt && booking.endsAt > startsAt);
  const sessions = (id: number, day: number) =>
    (before.get(addDays(slot.date, day)) ?? []).filter(
      ({ artist_id, isThere }) => isThere && artist_id === id,
    ).length;
  // In the order of `freeArtist`.
  const rankOf = (id: number) => [
    found.scheduleOf(id) === 'open' ? 0 : 1,
    around.some((booking) => booking.artist_id === id) ? 1 : 0,
    sessions(id, 0),
    nearDays.reduce((sum, day) => sum + sessions(id, day), 0),
    last.get(id) ?? 0,
  ];
  const [chosen] = free.sort((one, other) => compare(rankOf(one), rankOf(other)));
  if (chosen === undefined) {
    const by = inSlot.find(({ artist_id }) => artistId === null || artist_id === artistId);
    return { outcome: 'taken', by: by?.id ?? null };
  }
  const double = around.find(
    (booking) => booking.foldedName === key.foldedName && sharesContact(booking, key),
  );
  if (double !== undefined && !isSecondChair) return { outcome: 'double_booked', by: double.id };
  return { outcome: 'imported', id: null, artistId: chosen, schedule: found.scheduleOf(chosen) };
}

/** The first numbers that differ decide. */
function compare(one: readonly number[], other: readonly number[]): number {
  const differences = one.map((each, index) => each - (other[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

/**
 * Whether names and mailboxes or phones are equal where both have one; of a booking whose details were
 * corrected, one of these is enough.
 */
function isSamePerson(booking: Known, key: PersonKey): boolean {
  const isSameName = booking.foldedName !== null && booking.foldedName === key.foldedName;
  const isContact = sharesContact(booking, key);
  if (booking.isCorrected && (isSameName || isContact)) return true;
  const isComparable = (['mailbox', 'phone'] as const).some(
    (member) => booking[member] !== null && key[member] !== null,
  );
  return isSameName && (isContact || !isComparable);
}

function sharesContact(one: PersonKey, other: PersonKey): boolean {
  return (['mailbox', 'phone'] as const).some(
    (member) => one[member] !== null && one[member] === other[member],
  );
}
