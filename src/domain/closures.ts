import type { DatabaseServices } from '../database/services.js';
import type { BookingRow, ClosureRow } from '../database/schema.js';
import { recordAudit } from '../repositories/audit.js';
import { listLiveBookingsOfSlots } from '../repositories/booking-search.js';
import { lockSlots } from '../repositories/slot-taking.js';
import {
  deleteClosure,
  findSameClosure,
  insertClosure,
  listClosures,
  type NewClosure,
} from '../repositories/closures.js';
import { recordCalendarChange } from '../repositories/events.js';
import { cancelAll } from './cancellation.js';
import { studioToday } from './studio-settings.js';

type ClosureServices = Pick<DatabaseServices, 'database' | 'clock'>;

/** The closures from today on, or all. */
export async function readClosures(
  context: ClosureServices,
  { past }: { past: boolean },
): Promise<ClosureRow[]> {
  return listClosures(context.database, past ? '0001-01-01' : await studioToday(context));
}

export type AddedClosure =
  | { outcome: 'added'; closure: ClosureRow; met: BookingRow[]; cancelled: BookingRow[] }
  | { outcome: 'exists'; closure: ClosureRow };

/**
 * Closes slots from now on. Live bookings of these slots, holds included, stay (`met`) unless
 * `cancelBookings` is set.
 */
export async function addClosure(
  context: ClosureServices,
  actor: string,
  closure: NewClosure,
  { cancelBookings }: { cancelBookings: boolean },
): Promise<AddedClosure> {
  return context.database.transaction().execute(async (transaction) => {
    // Every concurrent hold or move is either committed and seen here, or sees the closure.
    await lockSlots(transaction);
    const same = await findSameClosure(transaction, closure);
    if (same !== null) return { outcome: 'exists', closure: same };
    const added = await insertClosure(transaction, closure);
    const live = await listLiveBookingsOfSlots(transaction, closure);
    const cancelled = cancelBookings ? await cancelAll(transaction, live) : [];
    const met = cancelBookings ? [] : live;
    await recordCalendarChange(transaction, 'closures add');
    await recordAudit(transaction, actor, 'closures add', {
      ...describe(added),
      cancelled_bookings: cancelled.map(({ id }) => id),
    });
    return { outcome: 'added', closure: added, met, cancelled };
  });
}

/** Deletes a closure. Null if it does not exist. */
export async function removeClosure(
  context: ClosureServices,
  actor: string,
  id: string,
): Promise<ClosureRow | null> {
  return context.database.transaction().execute(async (transaction) => {
    const closure = await deleteClosure(transaction, id);
    if (closure === null) return null;
    await recordCalendarChange(transaction, 'closures remove');
    await recordAudit(transaction, actor, 'closures remove', describe(closure));
    return closure;
  });
}

// Without the reason, which is free text and may contain personal data.
function describe({ id, from_date, to_date, time_slot }: ClosureRow): Record<string, unknown> {
  return { closure_id: id, from_date, to_date, time_slot };
}
