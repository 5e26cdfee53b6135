import type { Transaction } from 'kysely';
import type { CalendarServices } from '../board/services.js';
import type { BookingRow, Database } from '../database/schema.js';
import { listUpcomingOutsideZone } from '../repositories/booking-search.js';
import {
  insertConflicts,
  listBusyBookings,
  listUnrecordedConflicts,
} from '../repositories/conflicts.js';
import { readOpeningHours, readStudio } from '../repositories/studio-settings.js';
import type { OpeningHoursRow } from '../repositories/studio.js';
import { longestSessionHours, sessionEndsAt } from '../schedule/slots.js';

/** A confirmed session, not over, that watched calendars are busy during, or of another time zone. */
export interface BookingConflict {
  booking: BookingRow;
  /** The intervals that overlap it, in order. */
  busy: readonly ConflictInterval[];
  /** Whether the studio's clock is of another time zone than the booking's. */
  isInOtherZone: boolean;
}

export interface ConflictInterval {
  calendarId: string;
  label: string;
  startsAt: Date;
  endsAt: Date;
}

/** The conflicts, by the start of the session. */
export async function listConflicts({
  database,
  clock,
}: Pick<CalendarServices, 'database' | 'clock'>): Promise<BookingConflict[]> {
  const [openingHours, { timezone }, found] = await Promise.all([
    readOpeningHours(database),
    readStudio(database),
    listBusyBookings(database, longestSessionHours),
  ]);
  const elsewhere = await listUpcomingOutsideZone(database, timezone);
  const now = clock.now();
  const conflicts: (BookingConflict & { busy: ConflictInterval[] })[] = elsewhere
    .filter(({ status }) => status === 'confirmed')
    .map((booking) => ({ booking, busy: [], isInOtherZone: true }));
  for (const { booking, busy } of found) {
    const endsAt = endOf(booking, openingHours);
    if (endsAt <= now || busy.startsAt.getTime() >= endsAt) continue;
    const known = conflicts.find((each) => each.booking.id === booking.id);
    if (known !== undefined) known.busy.push(busy);
    else conflicts.push({ booking, busy: [busy], isInOtherZone: booking.timezone !== timezone });
  }
  return conflicts.sort(
    (one, other) => one.booking.starts_at.getTime() - other.booking.starts_at.getTime(),
  );
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
