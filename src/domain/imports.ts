import type { Transaction } from 'kysely';
import { studioData } from '../board/calendar-state.js';
import type { Database } from '../database/schema.js';
import type { DatabaseServices } from '../database/services.js';
import { type BookingOfSlot, listBookingsEverOn } from '../repositories/booking-search.js';
import { leaveUnmailed } from '../repositories/mail-dispatch.js';
import { lockSlots } from '../repositories/slot-taking.js';
import { loadCalendar } from '../repositories/studio.js';
import { isLive, isSameSlot, slotKey, type Slot, slotOf } from '../schedule/slots.js';
import type { Keyring } from '../secrets/keyring.js';
import {
  type GivenPerson,
  isAllowed,
  personDetails,
  type PersonMember,
  personMembers,
} from './person.js';
import { addLocked, findSlotForStudio } from './studio-bookings.js';
import type { StudioSchedule } from './studio-settings.js';

type ImportServices = Pick<DatabaseServices, 'database' | 'config'>;

export interface ImportOptions {
  /** Whether only to tell what would become of each row. */
  dryRun: boolean;
  /** Whether to import the other rows where one is refused. */
  skipRefused: boolean;
}

/** Whether it was done, and what became of each row, in order. */
export interface Import<Result> {
  isDone: boolean;
  results: Result[];
}

export interface BookingToImport {
  slot: Slot;
  person: GivenPerson;
}

export type ImportedBooking =
  /** `id`: null unless it was done. */
  | { outcome: 'imported'; id: string | null; schedule: StudioSchedule }
  /**
   * The same person was booked into the slot before, `id` null by this file: `isStillBooked` unless it
   * was moved or cancelled since.
   */
  | { outcome: 'duplicate'; id: string | null; isStillBooked: boolean }
  | { outcome: 'past' }
  /** Refused; `by`: the booking that has the slot. */
  | { outcome: 'taken'; by: string | null }
  | { outcome: 'no_such_slot' }
  | { outcome: 'invalid'; member: PersonMember };

const refusals: readonly string[] = ['taken', 'no_such_slot', 'invalid'];

/**
 * Adds confirmed bookings as the studio does (`addBooking`), all in one commit, or none if one is refused.
 * A row whose person was booked into the slot before changes nothing, so that a file can be imported
 * again. Nobody is mailed, reminders included, unless `isMailed`.
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
    for (const { result, found, person } of isDone ? judged : []) {
      if (result.outcome !== 'imported' || found.outcome !== 'free') continue;
      const outcome = await addLocked(transaction, services, actor, found, person);
      // Nobody takes a slot that was free under the lock.
      if (outcome.outcome !== 'added') throw new Error('a free slot was taken under the lock');
      result.id = outcome.booking.id;
      added.push(result.id);
    }
    if (!isMailed && added.length > 0) await leaveUnmailed(transaction, added);
    return { isDone, results: judged.map(({ result }) => result) };
  });
}

/** What becomes of each row, if none is refused. */
async function judge(
  transaction: Transaction<Database>,
  config: ImportServices['config'],
  rows: readonly BookingToImport[],
) {
  const calendar = await loadCalendar(transaction);
  const data = studioData(calendar, config);
  const dates = [...new Set(rows.map(({ slot }) => slot.date))];
  const shown = data.artists.filter(({ isHidden }) => !isHidden).map(({ id }) => id);
  const before = new Map<string, Known[]>();
  const remember = (booking: Known) => {
    const key = slotKey(slotOf(booking.wasIn));
    before.set(key, [...(before.get(key) ?? []), booking]);
  };
  (await listBookingsEverOn(transaction, dates)).forEach(remember);
  return rows.map(({ slot, person }) => {
    const found = findSlotForStudio(calendar, config, slot, data);
    const known = before.get(slotKey(slot)) ?? [];
    const result = judgeRow({ slot, person }, found, known, shown);
    if (result.outcome === 'imported') {
      const wasIn = { date: slot.date, time_slot: slot.timeSlot };
      const booking = { ...personDetails(person), ...wasIn, wasIn, status: 'confirmed' } as const;
      remember({ ...booking, id: null, artist_id: null });
    }
    return { result, found, person };
  });
}

/** One that is imported has no id yet, and is with somebody who can be booked. */
type Known = Omit<BookingOfSlot, 'id' | 'artist_id'> & {
  id: string | null;
  artist_id: number | null;
};

function judgeRow(
  { slot, person }: BookingToImport,
  found: ReturnType<typeof findSlotForStudio>,
  known: readonly Known[],
  shown: readonly number[],
): ImportedBooking {
  if (found.outcome === 'over') return { outcome: 'past' };
  if (found.outcome !== 'free') return { outcome: 'no_such_slot' };
  const member = personMembers.find((each) => {
    const text = person[each];
    return typeof text === 'string' && !isAllowed(each, text);
  });
  if (member !== undefined) return { outcome: 'invalid', member };
  const isStillBooked = ({ status, ...booking }: Known) =>
    isLive(status) && isSameSlot(slotOf(booking), slot);
  const same = known.filter((booking) => isSamePerson(booking, person));
  const duplicate = same.find(isStillBooked) ?? same[0];
  if (duplicate !== undefined) {
    const { id } = duplicate;
    return { outcome: 'duplicate', id, isStillBooked: isStillBooked(duplicate) };
  }
  const others = known.filter(
    (booking) =>
      isStillBooked(booking) && (booking.artist_id === null || shown.includes(booking.artist_id)),
  );
  if (others.length >= shown.length) return { outcome: 'taken', by: others[0]?.id ?? null };
  return { outcome: 'imported', id: null, schedule: found.scheduleOf(null) };
}

/** By e-mail address or phone where both have one, otherwise by name. */
function isSamePerson(booking: Known, person: GivenPerson): boolean {
  const given = personDetails(person);
  const isSame = (member: 'email' | 'phone' | 'name') =>
    given[member]?.toLowerCase() === booking[member]?.toLowerCase();
  const comparable = (['email', 'phone'] as const).filter(
    (member) => given[member] !== null && booking[member] !== null,
  );
  return comparable.length > 0 ? comparable.some(isSame) : isSame('name');
}
