import type { Transaction } from 'kysely';
import { studioData } from '../board/calendar-state.js';
import type { BookingRow, Database } from '../database/schema.js';
import type { DatabaseServices } from '../database/services.js';
import { recordAudit } from '../repositories/audit.js';
import {
  type BookingOfSlot,
  listBookingsEverOn,
  listUpcomingBookingsOfSlots,
} from '../repositories/booking-search.js';
import { forgetKept, recordLeftUndecided } from '../repositories/closed-days.js';
import { insertClosure, type NewClosure } from '../repositories/closures.js';
import { recordCalendarChange } from '../repositories/events.js';
import { leaveUnmailed } from '../repositories/mail-dispatch.js';
import { lockSlots } from '../repositories/slot-taking.js';
import { loadCalendar } from '../repositories/studio.js';
import { type BusyInterval, slotsOverlapping } from '../schedule/busy-times.js';
import { isClosedByStudio } from '../schedule/calendar.js';
import { addDays } from '../schedule/dates.js';
import {
  isLive,
  isSameSlot,
  parseSlotKey,
  slotKey,
  type Slot,
  slotOf,
  timeSlots,
  todayInZone,
} from '../schedule/slots.js';
import type { Keyring } from '../secrets/keyring.js';
import { describeClosure, isUndecided } from './closures.js';
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
  isTrial: boolean;
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
   * The same person was booked into the slot before, `id` null by this file: `isThere` unless it was moved or cancelled
   * since.
   */
  | { outcome: 'double'; id: string | null; isThere: boolean }
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
  { isTrial, skipRefused, isMailed }: ImportOptions & { isMailed: boolean },
): Promise<Import<ImportedBooking>> {
  return database.transaction().execute(async (transaction) => {
    if (!isTrial) await lockSlots(transaction);
    const judged = await judge(transaction, services.config, rows);
    const isRefused = judged.some(({ result }) => refusals.includes(result.outcome));
    const isDone = !isTrial && (skipRefused || !isRefused);
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
  const before = new Map<string, Known[]>();
  const remember = (booking: Known) => {
    const key = slotKey(slotOf(booking.wasIn));
    before.set(key, [...(before.get(key) ?? []), booking]);
  };
  (await listBookingsEverOn(transaction, dates)).forEach(remember);
  return rows.map(({ slot, person }) => {
    const found = findSlotForStudio(calendar, config, slot, data);
    const result = judgeRow({ slot, person }, found, before.get(slotKey(slot)) ?? []);
    if (result.outcome === 'imported') {
      const wasIn = { date: slot.date, time_slot: slot.timeSlot };
      remember({ ...personDetails(person), ...wasIn, wasIn, id: null, status: 'confirmed' });
    }
    return { result, found, person };
  });
}

type Known = Omit<BookingOfSlot, 'id'> & { id: string | null };

function judgeRow(
  { slot, person }: BookingToImport,
  found: ReturnType<typeof findSlotForStudio>,
  known: readonly Known[],
): ImportedBooking {
  if (found.outcome === 'over') return { outcome: 'past' };
  if (found.outcome !== 'free') return { outcome: 'no_such_slot' };
  const member = personMembers.find((each) => {
    const text = person[each];
    return typeof text === 'string' && !isAllowed(each, text);
  });
  if (member !== undefined) return { outcome: 'invalid', member };
  const isThere = ({ status, ...booking }: Known) =>
    isLive(status) && isSameSlot(slotOf(booking), slot);
  const same = known.filter((booking) => isSamePerson(booking, person));
  const double = same.find(isThere) ?? same[0];
  if (double !== undefined) return { outcome: 'double', id: double.id, isThere: isThere(double) };
  const other = known.find(isThere);
  if (other !== undefined) return { outcome: 'taken', by: other.id };
  return { outcome: 'imported', id: null, schedule: found.schedule };
}

/** By e-mail address, phone or name: whatever both have. */
function isSamePerson(booking: Known, person: GivenPerson): boolean {
  const given = personDetails(person);
  return (['email', 'phone', 'name'] as const).some((member) => {
    const text = given[member]?.toLowerCase();
    return text !== undefined && text === booking[member]?.toLowerCase();
  });
}

export interface ClosureToImport extends BusyInterval {
  reason: string;
}

export type ImportedClosure =
  | { outcome: 'imported'; closures: NewClosure[] }
  /** `double`: all its sessions are closed. `no_session`: it overlaps none. */
  | { outcome: 'double' | 'past' | 'no_session' };

/**
 * Closes the sessions that the intervals overlap, from today on, all in one commit; a date of which all
 * sessions are overlapped as a whole. `met`: the confirmed bookings in them that the studio has not
 * decided, of which it gets one mail.
 */
export async function importClosures(
  { database, config }: ImportServices,
  actor: string,
  rows: readonly ClosureToImport[],
  { isTrial }: Pick<ImportOptions, 'isTrial'>,
): Promise<Import<ImportedClosure> & { met: BookingRow[] }> {
  return database.transaction().execute(async (transaction) => {
    if (!isTrial) {
      await lockSlots(transaction);
      await forgetKept(transaction);
    }
    const stored = await loadCalendar(transaction);
    const { calendar, openingHours } = studioData(stored, config);
    const closures = [...calendar.closures];
    const results = rows.map((row): ImportedClosure => {
      const slots = [...slotsOverlapping([row], { timezone: calendar.timezone, openingHours })]
        .map(parseSlotKey)
        .filter(({ date }) => date >= todayInZone(calendar.timezone, stored.now));
      const isClosed = (slot: Slot) => isClosedByStudio({ ...calendar, closures }, slot);
      if (row.endsAt <= stored.now) return { outcome: 'past' };
      if (slots.length === 0) return { outcome: 'no_session' };
      if (slots.every(isClosed)) return { outcome: 'double' };
      const added = closuresOf(slots, row.reason);
      closures.push(...added);
      return { outcome: 'imported', closures: added };
    });
    const added = results.flatMap((each) => (each.outcome === 'imported' ? each.closures : []));
    const met = new Map<string, BookingRow>();
    for (const closure of added) {
      const live = await listUpcomingBookingsOfSlots(transaction, closure);
      for (const booking of live.filter(isUndecided)) met.set(booking.id, booking);
    }
    if (!isTrial && added.length > 0) {
      for (const closure of added) {
        const row = await insertClosure(transaction, closure);
        await recordAudit(transaction, actor, 'closures add', describeClosure(row));
      }
      if (met.size > 0) await recordLeftUndecided(transaction, [...met.keys()]);
      await recordCalendarChange(transaction, 'closures add');
    }
    return { isDone: !isTrial, results, met: [...met.values()] };
  });
}

/** Of slots in order: ranges of whole dates, and single sessions. */
function closuresOf(slots: readonly Slot[], reason: string): NewClosure[] {
  const closures: NewClosure[] = [];
  const sessions = new Map<string, number>();
  for (const { date } of slots) sessions.set(date, (sessions.get(date) ?? 0) + 1);
  for (const { date, timeSlot } of slots) {
    const last = closures.at(-1);
    if (sessions.get(date) !== timeSlots.length)
      closures.push({ fromDate: date, toDate: date, timeSlot, reason });
    else if (last?.timeSlot === null && date <= addDays(last.toDate, 1)) last.toDate = date;
    else closures.push({ fromDate: date, toDate: date, timeSlot: null, reason });
  }
  return closures;
}
