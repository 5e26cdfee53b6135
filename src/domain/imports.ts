import type { Kysely, Transaction } from 'kysely';
import { studioData } from '../board/calendar-state.js';
import type { BookingRow, ClosureRow, Database } from '../database/schema.js';
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
  /** Whether to do everything and then undo it. */
  isTrial: boolean;
  /** Whether to import the other rows where one is refused. */
  skipRefused: boolean;
}

/** Whether it was committed, and what became of each row, in order. */
export interface Import<Result> {
  isDone: boolean;
  results: Result[];
}

export interface BookingToImport {
  slot: Slot;
  person: GivenPerson;
}

export type ImportedBooking =
  | { outcome: 'imported'; booking: BookingRow; schedule: StudioSchedule }
  /** The same person was booked into the slot before: `isThere` unless it was moved or cancelled since. */
  | { outcome: 'double'; id: string; isThere: boolean }
  | { outcome: 'past' }
  /** Refused; `by`: the booking that has the slot. */
  | { outcome: 'taken'; by: string | null }
  | { outcome: 'no_such_slot' }
  | { outcome: 'invalid'; member: PersonMember };

const refusals: readonly string[] = ['taken', 'no_such_slot', 'invalid'];

export function isRefusal({ outcome }: { outcome: string }): boolean {
  return refusals.includes(outcome);
}

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
  return commitIf(
    database,
    (results) => !isTrial && (skipRefused || !results.some(isRefusal)),
    async (transaction) => {
      await lockSlots(transaction);
      const calendar = await loadCalendar(transaction);
      const data = studioData(calendar, services.config);
      const dates = [...new Set(rows.map(({ slot }) => slot.date))];
      const known = await listBookingsEverOn(transaction, dates);
      const results: ImportedBooking[] = [];
      for (const { slot, person } of rows) {
        const before = known.filter(({ wasIn }) => isSameSlot(slotOf(wasIn), slot));
        const found = findSlotForStudio(calendar, services.config, slot, data);
        const result = await importBooking(
          transaction,
          services,
          actor,
          { slot, person },
          before,
          found,
        );
        if (result.outcome === 'imported') known.push({ ...result.booking, wasIn: result.booking });
        results.push(result);
      }
      const added = results.flatMap((each) =>
        each.outcome === 'imported' ? [each.booking.id] : [],
      );
      if (!isMailed) await leaveUnmailed(transaction, added);
      return results;
    },
  );
}

async function importBooking(
  transaction: Transaction<Database>,
  services: Pick<ImportServices, 'config'> & { keyring: Keyring },
  actor: string,
  { slot, person }: BookingToImport,
  before: readonly BookingOfSlot[],
  found: ReturnType<typeof findSlotForStudio>,
): Promise<ImportedBooking> {
  if (found.outcome === 'over') return { outcome: 'past' };
  if (found.outcome !== 'free') return { outcome: 'no_such_slot' };
  const member = personMembers.find((each) => {
    const text = person[each];
    return typeof text === 'string' && !isAllowed(each, text);
  });
  if (member !== undefined) return { outcome: 'invalid', member };
  const isThere = (booking: BookingOfSlot) =>
    isLive(booking.status) && isSameSlot(slotOf(booking), slot);
  const same = before.filter((booking) => isSamePerson(booking, person));
  const double = same.find(isThere) ?? same[0];
  if (double !== undefined) return { outcome: 'double', id: double.id, isThere: isThere(double) };
  const added = await addLocked(transaction, services, actor, found, person);
  if (added.outcome !== 'added') {
    return { outcome: 'taken', by: before.find(isThere)?.id ?? null };
  }
  return { outcome: 'imported', booking: added.booking, schedule: added.schedule };
}

/** By e-mail address, phone or name: whatever both have. */
function isSamePerson(booking: BookingOfSlot, person: GivenPerson): boolean {
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
  | { outcome: 'imported'; closures: ClosureRow[] }
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
  const met = new Map<string, BookingRow>();
  const done = await commitIf(
    database,
    () => !isTrial,
    async (transaction) => {
      await lockSlots(transaction);
      await forgetKept(transaction);
      const stored = await loadCalendar(transaction);
      const { calendar, openingHours } = studioData(stored, config);
      const { timezone } = calendar;
      const closures = [...calendar.closures];
      const today = todayInZone(timezone, stored.now);
      const results: ImportedClosure[] = [];
      for (const { reason, ...interval } of rows) {
        const slots = [...slotsOverlapping([interval], { timezone, openingHours })]
          .map(parseSlotKey)
          .filter(({ date }) => date >= today);
        const isClosed = (slot: Slot) => isClosedByStudio({ ...calendar, closures }, slot);
        if (interval.endsAt <= stored.now) results.push({ outcome: 'past' });
        else if (slots.length === 0) results.push({ outcome: 'no_session' });
        else if (slots.every(isClosed)) results.push({ outcome: 'double' });
        else {
          const added: ClosureRow[] = [];
          for (const closure of closuresOf(slots, reason)) {
            const row = await insertClosure(transaction, closure);
            await recordAudit(transaction, actor, 'closures add', describeClosure(row));
            closures.push(closure);
            added.push(row);
            const live = await listUpcomingBookingsOfSlots(transaction, closure);
            for (const booking of live.filter(isUndecided)) met.set(booking.id, booking);
          }
          results.push({ outcome: 'imported', closures: added });
        }
      }
      if (met.size > 0) await recordLeftUndecided(transaction, [...met.keys()]);
      if (results.some(({ outcome }) => outcome === 'imported')) {
        await recordCalendarChange(transaction, 'closures add');
      }
      return results;
    },
  );
  return { ...done, met: [...met.values()] };
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

/** Runs `work` in a transaction, and commits it if its results are as they must be. */
async function commitIf<Result>(
  database: Kysely<Database>,
  isKept: (results: Result[]) => boolean,
  work: (transaction: Transaction<Database>) => Promise<Result[]>,
): Promise<Import<Result>> {
  const transaction = await database.startTransaction().execute();
  try {
    const results = await work(transaction);
    const isDone = isKept(results);
    await (isDone ? transaction.commit() : transaction.rollback()).execute();
    return { isDone, results };
  } catch (error) {
    await transaction.rollback().execute();
    throw error;
  }
}
