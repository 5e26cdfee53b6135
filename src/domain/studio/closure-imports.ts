import type { Transaction } from 'kysely';
import type { NewClosure } from '../../database/rows/results.js';
import type { BookingRow, Database } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudits } from '../../repositories/audit.js';
import { listUpcomingBookingsOfSlots } from '../../repositories/booking-search.js';
import { recordLeftUndecided } from '../../repositories/closed-days.js';
import { insertClosures, listClosures } from '../../repositories/closures.js';
import { recordCalendarChange } from '../../repositories/events.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import { type CalendarRows, loadCalendar } from '../../repositories/studio.js';
import { type BusyInterval, slotsOverlapping } from '../../schedule/busy-times.js';
import { addDays } from '../../schedule/dates.js';
import {
  instantOfWallClock,
  parseSlotKey,
  slotKey,
  type Slot,
  slotOf,
  timeSlots,
  todayInZone,
} from '../../schedule/slots.js';
import { daysFor } from '../../schedule/weeks.js';
import { intervalOf } from './blocks.js';
import { describeClosure, isUndecided } from './closures.js';
import type { Import, ImportOptions } from './imports.js';

export interface ClosureToImport extends BusyInterval {
  reason: string;
}

export type ImportedClosure =
  | { outcome: 'imported'; closures: NewClosure[] }
  /** `duplicate`: all its sessions are closed. `no_session`: it overlaps none. */
  | { outcome: 'duplicate' | 'past' | 'no_session' };

/**
 * Closes the sessions that the intervals overlap, from today on, in one commit; a date whose sessions are
 * all overlapped as a whole. `affectedBookings`: the undecided confirmed bookings in them, about which
 * the studio gets one mail.
 */
export async function importClosures(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  rows: readonly ClosureToImport[],
  { dryRun }: Pick<ImportOptions, 'dryRun'>,
): Promise<Import<ImportedClosure> & { affectedBookings: BookingRow[] }> {
  // This takes long, and comes before the lock.
  const stored = await loadCalendar(database);
  const slotsOfRows = slotsToClose(stored, rows);
  return database.transaction().execute(async (transaction) => {
    if (!dryRun) await lockSlots(transaction);
    const dates = slotsOfRows.flatMap((slots) => slots.map(({ date }) => date)).sort();
    const range = { fromDate: dates[0] ?? '9999-12-31', toDate: dates.at(-1) ?? '0001-01-01' };
    const closed = await closedSlots(transaction, range, stored);
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
  { studio: { timezone }, weekDays, now }: CalendarRows,
  rows: readonly ClosureToImport[],
): Slot[][] {
  const today = todayInZone(timezone, now);
  const midnight = instantOfWallClock(timezone, `${today}T00:00:00`).epochMs;
  const openingHours = daysFor(weekDays, null);
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
  { studio: { timezone }, weekDays }: CalendarRows,
): Promise<Set<string>> {
  const openingHours = daysFor(weekDays, null);
  const closed = new Set<string>();
  const rows = (await listClosures(transaction, first)).filter((row) => row.artist_id === null);
  for (const row of rows) {
    const { from_date, to_date, time_slot } = row;
    const block = intervalOf(row);
    if (block !== null) {
      for (const key of slotsOverlapping([block], { timezone, openingHours })) closed.add(key);
      continue;
    }
    const to = to_date < last ? to_date : last;
    for (let date = from_date > first ? from_date : first; date <= to; date = addDays(date, 1)) {
      for (const timeSlot of time_slot === null ? timeSlots : [time_slot]) {
        closed.add(slotKey({ date, timeSlot }));
      }
    }
  }
  return closed;
}

/** The closures that cover slots in order: ranges of whole dates, and single sessions. */
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
