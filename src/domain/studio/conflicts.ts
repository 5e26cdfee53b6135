import type { Transaction } from 'kysely';
import type { CalendarServices } from '../../board/services.js';
import type { BookingRow, Database } from '../../database/rows/schema.js';
import { listUpcomingOutsideZone } from '../../repositories/booking-search.js';
import {
  type ConflictInterval,
  insertConflicts,
  listBusyBookings,
  listUnrecordedConflicts,
} from '../../repositories/conflicts.js';
import { readStudio } from '../../repositories/studio-settings.js';

/** A confirmed session, not over, during which watched calendars are busy, or of another time zone. */
export interface BookingConflict {
  booking: BookingRow;
  /** The intervals that overlap it, in order. */
  busy: readonly ConflictInterval[];
  /** Whether the studio's clock is of another time zone than the booking's. */
  isInOtherZone: boolean;
}

export type { ConflictInterval };

/** The conflicts, by the start of the session. */
export async function listConflicts({
  database,
}: Pick<CalendarServices, 'database'>): Promise<BookingConflict[]> {
  const [{ timezone }, found] = await Promise.all([
    readStudio(database),
    listBusyBookings(database),
  ]);
  const elsewhere = await listUpcomingOutsideZone(database, timezone);
  const conflicts: (BookingConflict & { busy: ConflictInterval[] })[] = elsewhere
    .filter(({ status }) => status === 'confirmed')
    .map((booking) => ({ booking, busy: [], isInOtherZone: true }));
  for (const { booking, busy } of found) {
    const known = conflicts.find((each) => each.booking.id === booking.id);
    if (known !== undefined) known.busy.push(busy);
    else conflicts.push({ booking, busy: [busy], isInOtherZone: booking.timezone !== timezone });
  }
  return conflicts.sort(
    (one, other) => one.booking.starts_at.getTime() - other.booking.starts_at.getTime(),
  );
}

/**
 * Records new conflicts of sessions that have not begun, each with an event `booking.conflict`, which
 * becomes a mail: once for a booking in a slot. Returns the number of new ones.
 */
export async function recordConflicts(transaction: Transaction<Database>): Promise<number> {
  const found = await listUnrecordedConflicts(transaction);
  return found.length === 0 ? 0 : insertConflicts(transaction, found);
}
