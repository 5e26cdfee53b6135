import type { Transaction } from 'kysely';
import { studioData } from '../board/calendar-state.js';
import type { BookingRow, Database } from '../database/schema.js';
import type { DatabaseServices } from '../database/services.js';
import { recordAudits } from '../repositories/audit.js';
import {
  type BookingOfSlot,
  listBookingsEverOn,
  listUpcomingBookingsOfSlots,
} from '../repositories/booking-search.js';
import { forgetKept, recordLeftUndecided } from '../repositories/closed-days.js';
import { insertClosures, listClosures, type NewClosure } from '../repositories/closures.js';
import { recordCalendarChange } from '../repositories/events.js';
import { leaveUnmailed } from '../repositories/mail-dispatch.js';
import { lockSlots } from '../repositories/slot-taking.js';
import { type CalendarRows, loadCalendar } from '../repositories/studio.js';
import { type BusyInterval, slotsOverlapping } from '../schedule/busy-times.js';
import { addDays } from '../schedule/dates.js';
import {
  instantOfWallClock,
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

export interface ClosureToImport extends BusyInterval {
  reason: string;
}

export type ImportedClosure =
  | { outcome: 'imported'; closures: NewClosure[] }
  /** `duplicate`: all its sessions are closed. `no_session`: it overlaps none. */
  | { outcome: 'duplicate' | 'past' | 'no_session' };

/**
 * Closes the sessions that the intervals overlap, from today on, all in one commit; a date of which all
 * sessions are overlapped as a whole. `affectedBookings`: the confirmed bookings in them that the studio
 * has not decided, of which it gets one mail.
 */
export async function importClosures(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  rows: readonly ClosureToImport[],
  { dryRun }: Pick<ImportOptions, 'dryRun'>,
): Promise<Import<ImportedClosure> & { affectedBookings: BookingRow[] }> {
  // What takes long is done before the lock.
  const stored = await loadCalendar(database);
  const slotsOfRows = slotsToClose(stored, rows);
  return database.transaction().execute(async (transaction) => {
    if (!dryRun) {
      await lockSlots(transaction);
      await forgetKept(transaction);
    }
    const dates = slotsOfRows.flatMap((slots) => slots.map(({ date }) => date)).sort();
    const range = { fromDate: dates[0] ?? '9999-12-31', toDate: dates.at(-1) ?? '0001-01-01' };
    const closed = await closedSlots(transaction, range);
    const imported = new Set<string>();
    const results = rows.map((row, index): ImportedClosure => {
      const slots = slotsOfRows[index] ?? [];
      if (row.endsAt <= stored.now) return { outcome: 'past' };
      if (slots.length === 0) return { outcome: 'no_session' };
      const keys = slots.map(slotKey);
      if (keys.every((key) => closed.has(key))) return { outcome: 'duplicate' };
      for (const key of keys) {
        closed.add(key);
        imported.add(key);
      }
      return { outcome: 'imported', closures: closuresOf(slots, row.reason) };
    });
    const added = results.flatMap((each) => (each.outcome === 'imported' ? each.closures : []));
    const upcoming = await listUpcomingBookingsOfSlots(transaction, { ...range, timeSlot: null });
    const affectedBookings = upcoming.filter(
      (booking) => isUndecided(booking) && imported.has(slotKey(slotOf(booking))),
    );
    if (!dryRun && added.length > 0) {
      const closures = await insertClosures(transaction, added);
      await recordAudits(transaction, actor, 'closures add', closures.map(describeClosure));
      const ids = affectedBookings.map(({ id }) => id);
      if (ids.length > 0) await recordLeftUndecided(transaction, ids);
      await recordCalendarChange(transaction, 'closures add');
    }
    return { isDone: !dryRun, results, affectedBookings };
  });
}

/** The slots from today on that each interval overlaps, in order. */
function slotsToClose(
  { studio: { timezone }, openingHours, now }: CalendarRows,
  rows: readonly ClosureToImport[],
): Slot[][] {
  const today = todayInZone(timezone, now);
  const midnight = instantOfWallClock(timezone, `${today}T00:00:00`).epochMs;
  return rows.map(({ startsAt, endsAt }) => {
    if (endsAt <= now) return [];
    const interval = { startsAt: Math.max(startsAt, midnight), endsAt };
    return [...slotsOverlapping([interval], { timezone, openingHours })]
      .map(parseSlotKey)
      .filter(({ date }) => date >= today);
  });
}

/** The keys of the slots that the studio has closed for all artists, from one date to another. */
async function closedSlots(
  transaction: Transaction<Database>,
  { fromDate: first, toDate: last }: { fromDate: string; toDate: string },
): Promise<Set<string>> {
  const closed = new Set<string>();
  const rows = (await listClosures(transaction, first)).filter((row) => row.artist_id === null);
  for (const { from_date, to_date, time_slot } of rows) {
    const to = to_date < last ? to_date : last;
    for (let date = from_date > first ? from_date : first; date <= to; date = addDays(date, 1)) {
      for (const timeSlot of time_slot === null ? timeSlots : [time_slot]) {
        closed.add(slotKey({ date, timeSlot }));
      }
    }
  }
  return closed;
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
