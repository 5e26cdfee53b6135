import type { Transaction } from 'kysely';
import type { CalendarServices } from '../board/services.js';
import type { BookingRow, Database } from '../database/schema.js';
import {
  insertConflicts,
  listBusyBookings,
  listUnrecordedConflicts,
} from '../repositories/conflicts.js';
import { readOpeningHours } from '../repositories/studio-settings.js';
import type { OpeningHoursRow } from '../repositories/studio.js';
import { longestSessionHours, sessionEndsAt } from '../schedule/slots.js';

/** A confirmed session, not over, that watched calendars are busy during. */
export interface BookingConflict {
  booking: BookingRow;
  /** The intervals that overlap it, in order. */
  busy: readonly ConflictInterval[];
}

export interface ConflictInterval {
  calendarId: string;
  /** Of the calendar. */
  label: string;
  startsAt: Date;
  endsAt: Date;
}

/** The conflicts, by the start of the session. */
export async function listConflicts({
  database,
  clock,
}: Pick<CalendarServices, 'database' | 'clock'>): Promise<BookingConflict[]> {
  const [openingHours, found] = await Promise.all([
    readOpeningHours(database),
    listBusyBookings(database, longestSessionHours),
  ]);
  const now = clock.now();
  const conflicts: { booking: BookingRow; busy: ConflictInterval[] }[] = [];
  for (const { booking, busy } of found) {
    const endsAt = endOf(booking, openingHours);
    if (endsAt <= now || busy.startsAt.getTime() >= endsAt) continue;
    const last = conflicts.at(-1);
    if (last?.booking.id === booking.id) last.busy.push(busy);
    else conflicts.push({ booking, busy: [busy] });
  }
  return conflicts;
}

/**
 * Records the conflicts of sessions that have not begun and that are new, each with an event
 * `booking.conflict`, which becomes a mail: once for a booking in a slot. Does nothing for those known.
 * Returns how many were new.
 */
export async function recordConflicts(transaction: Transaction<Database>): Promise<number> {
  const found = await listUnrecordedConflicts(transaction, longestSessionHours);
  if (found.length === 0) return 0;
  const openingHours = await readOpeningHours(transaction);
  const conflicts = found.filter(
    (booking) => booking.busyStartsAt.getTime() < endOf(booking, openingHours),
  );
  return insertConflicts(transaction, conflicts);
}

/** When the session ends: milliseconds since the epoch. */
function endOf(
  { starts_at, ends_at, timezone }: Pick<BookingRow, 'starts_at' | 'ends_at' | 'timezone'>,
  openingHours: readonly OpeningHoursRow[],
): number {
  return ends_at?.getTime() ?? sessionEndsAt(starts_at.getTime(), timezone, openingHours);
}
