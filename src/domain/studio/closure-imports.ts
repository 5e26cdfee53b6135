import { type StudioData, studioData } from '../../board/calendar-state.js';
import type { NewClosure } from '../../database/rows/results.js';
import type { BookingRow } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudits } from '../../repositories/audit.js';
import { listUpcomingBookingsOfSlots } from '../../repositories/booking-search.js';
import { recordLeftUndecided } from '../../repositories/closed-days.js';
import { insertClosures } from '../../repositories/closures.js';
import { recordCalendarChange } from '../../repositories/events.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import { loadCalendar } from '../../repositories/studio.js';
import { type BusyInterval, slotsOverlapping } from '../../schedule/busy-times.js';
import { isClosedByStudio, isThere } from '../../schedule/calendar.js';
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
 * all overlapped as a whole. What overlaps sessions of some artists only, by their weeks, is closed for
 * these. `affectedBookings`: the undecided confirmed bookings in them, about which the studio gets one mail.
 */
export async function importClosures(
  { database, config }: Pick<DatabaseServices, 'database' | 'config'>,
  actor: string,
  rows: readonly ClosureToImport[],
  { dryRun }: Pick<ImportOptions, 'dryRun'>,
): Promise<Import<ImportedClosure> & { affectedBookings: BookingRow[] }> {
  // This takes long, and comes before the lock.
  const stored = await loadCalendar(database);
  const { now } = stored;
  const data = studioData(stored, config);
  const slotsOfRows = rows.map((row) => (row.endsAt <= now ? [] : slotsToClose(data, now, row)));
  return database.transaction().execute(async (transaction) => {
    if (!dryRun) await lockSlots(transaction);
    const { calendar } = studioData(await loadCalendar(transaction), config);
    const imported = new Set<string>();
    const isClosed = (slot: ClosedSlot) => {
      const theirs = calendar.artists.filter(({ id }) => (slot.artistId ?? id) === id);
      return isIn(imported, slot) || theirs.every((artist) => isClosedByStudio(artist, slot));
    };
    const results = rows.map((row, index): ImportedClosure => {
      const slots = slotsOfRows[index] ?? [];
      if (row.endsAt <= now) return { outcome: 'past' };
      if (slots.length === 0) return { outcome: 'no_session' };
      if (slots.every(isClosed)) return { outcome: 'duplicate' };
      for (const slot of slots) imported.add(keyOf(slot));
      return { outcome: 'imported', closures: closuresOf(slots, row.reason) };
    });
    const dates = slotsOfRows.flatMap((slots) => slots.map(({ date }) => date)).sort();
    const range = { fromDate: dates[0] ?? '9999-12-31', toDate: dates.at(-1) ?? '0001-01-01' };
    const added = results.flatMap((each) => (each.outcome === 'imported' ? each.closures : []));
    const upcoming = await listUpcomingBookingsOfSlots(transaction, { ...range, timeSlot: null });
    const affectedBookings = upcoming.filter(
      (booking) =>
        isUndecided(booking) && isIn(imported, { ...slotOf(booking), artistId: booking.artist_id }),
    );
    if (!dryRun && added.length > 0) {
      const closures = await insertClosures(transaction, added);
      const details = closures.map((closure) => describeClosure(closure, stored.artists));
      await recordAudits(transaction, actor, 'closures add', details);
      const ids = affectedBookings.map(({ id }) => id);
      if (ids.length > 0) await recordLeftUndecided(transaction, ids);
      await recordCalendarChange(transaction, 'closures add');
    }
    return { isDone: !dryRun, results, affectedBookings };
  });
}

/** A slot of an artist; null: of all. */
type ClosedSlot = Slot & { artistId: number | null };

function keyOf(slot: ClosedSlot): string {
  return `${slot.artistId} ${slotKey(slot)}`;
}

/** Whether a slot is among those with these keys, for its artist or for all. */
function isIn(keys: ReadonlySet<string>, slot: ClosedSlot): boolean {
  return keys.has(keyOf(slot)) || keys.has(keyOf({ ...slot, artistId: null }));
}

/** The slots from today on that an interval overlaps, in order: for all, or those who are there then. */
function slotsToClose(
  { calendar: { timezone, artists }, openingHours }: StudioData,
  now: number,
  { startsAt, endsAt }: BusyInterval,
): ClosedSlot[] {
  const today = todayInZone(timezone, now);
  const midnight = instantOfWallClock(timezone, `${today}T00:00:00`).epochMs;
  const interval = { startsAt: Math.max(startsAt, midnight), endsAt };
  const weeks = new Set([openingHours, ...artists.map(({ hours }) => hours)]);
  const overlapped = new Map(
    [...weeks].map((hours) => [
      hours,
      slotsOverlapping([interval], { timezone, openingHours: hours }),
    ]),
  );
  const keys = [...overlapped.values()].flatMap((each) => [...each]);
  const dates = new Set(keys.map((key) => parseSlotKey(key).date));
  return [...dates].toSorted().flatMap((date) => {
    if (date < today) return [];
    const there = artists.filter((artist) => !artist.isHidden && isThere(artist, date));
    const counted = there.length === 0 ? [{ id: null, hours: openingHours }] : there;
    return timeSlots.flatMap((timeSlot) => {
      const key = slotKey({ date, timeSlot });
      const met = counted.filter(({ hours }) => overlapped.get(hours)?.has(key));
      const ids = met.length === counted.length ? [null] : met.map(({ id }) => id);
      return ids.map((artistId) => ({ date, timeSlot, artistId }));
    });
  });
}

/** The closures that cover slots in order: ranges of whole dates, and single sessions. */
function closuresOf(slots: readonly ClosedSlot[], reason: string): NewClosure[] {
  const closures: NewClosure[] = [];
  const sessions = new Map<string, number>();
  const dayOf = ({ date, artistId }: ClosedSlot) => `${artistId} ${date}`;
  for (const slot of slots) sessions.set(dayOf(slot), (sessions.get(dayOf(slot)) ?? 0) + 1);
  for (const slot of slots) {
    const { date, artistId } = slot;
    const timeSlot = sessions.get(dayOf(slot)) === timeSlots.length ? null : slot.timeSlot;
    const last = closures.findLast((each) => each.artistId === artistId);
    if (timeSlot === null && last?.timeSlot === null && date <= addDays(last.toDate, 1)) {
      last.toDate = date;
    } else closures.push({ fromDate: date, toDate: date, timeSlot, reason, artistId });
  }
  return closures;
}
