import type { BookingRow, ClosureRow } from '../database/schema.js';
import type { DatabaseServices } from '../database/services.js';
import { recordAudit } from '../repositories/audit.js';
import { listUpcomingBookingsOfSlots, type SlotSelection } from '../repositories/booking-search.js';
import {
  deleteClosure,
  findClosure,
  findSameClosure,
  insertClosure,
  listCancelledWithClosure,
  listClosures,
  type NewClosure,
} from '../repositories/closures.js';
import { recordCalendarChange } from '../repositories/events.js';
import { lockSlots } from '../repositories/slot-taking.js';
import { areListed, type ListedBooking } from './booking-record.js';
import { cancelAll } from './cancellation.js';
import { studioToday } from './studio-settings.js';

type ClosureServices = Pick<DatabaseServices, 'database' | 'clock'>;

/** Characters of a closure's reason. */
export const maxClosureReasonLength = 200;

/** The closures from today on, or all. */
export async function readClosures(
  context: ClosureServices,
  { past }: { past: boolean },
): Promise<ClosureRow[]> {
  return listClosures(context.database, past ? '0001-01-01' : await studioToday(context));
}

/** What a closure of these slots would meet: the live bookings whose session has not begun. */
export async function readBookingsToClose(
  { database }: Pick<ClosureServices, 'database'>,
  slots: SlotSelection,
): Promise<BookingRow[]> {
  return listUpcomingBookingsOfSlots(database, slots);
}

export interface ClosureRecord {
  closure: ClosureRow;
  /** The live bookings in it whose session has not begun. */
  met: BookingRow[];
  /** Those that were cancelled when it was added. */
  cancelled: BookingRow[];
}

/** A closure with its bookings. Null if it does not exist. */
export async function readClosureRecord(
  { database }: Pick<ClosureServices, 'database'>,
  id: string,
): Promise<ClosureRecord | null> {
  const closure = await findClosure(database, id);
  if (closure === null) return null;
  const { from_date: fromDate, to_date: toDate, time_slot: timeSlot } = closure;
  return {
    closure,
    met: await listUpcomingBookingsOfSlots(database, { fromDate, toDate, timeSlot }),
    cancelled: await listCancelledWithClosure(database, id),
  };
}

/** Sentences for what is wrong with a closure, by member. */
export type ClosureMistakes = Partial<Record<'toDate' | 'reason', string>>;

/** The mistakes that need no clock. */
export function findClosureMistakes({ fromDate, toDate, reason }: NewClosure): ClosureMistakes {
  return {
    ...(toDate < fromDate && { toDate: 'The last date comes before the first.' }),
    ...([...reason].length > maxClosureReasonLength && {
      reason: `The reason can have at most ${maxClosureReasonLength} characters.`,
    }),
    ...(reason.includes('\0') && {
      reason: 'The reason contains a character that cannot be stored.',
    }),
  };
}

export interface AddOptions {
  cancelBookings: boolean;
  /** Cancels only if the bookings in the closure are among these, none of them changed since. */
  listed?: readonly ListedBooking[];
}

export type AddedClosure =
  | { outcome: 'added'; closure: ClosureRow; met: BookingRow[]; cancelled: BookingRow[] }
  | { outcome: 'exists'; closure: ClosureRow }
  /** To be cancelled are bookings that are not among `listed`. Nothing was done. */
  | { outcome: 'changed'; bookings: BookingRow[] }
  | { outcome: 'refused'; mistakes: ClosureMistakes };

/**
 * Closes slots from now on. Live bookings of these slots whose session has not begun, holds included,
 * stay (`met`) unless `cancelBookings` is set.
 */
export async function addClosure(
  context: ClosureServices,
  actor: string,
  closure: NewClosure,
  { cancelBookings, listed }: AddOptions,
): Promise<AddedClosure> {
  const mistakes = findClosureMistakes(closure);
  if (mistakes.toDate === undefined && closure.toDate < (await studioToday(context))) {
    mistakes.toDate = `${closure.toDate} is in the past.`;
  }
  if (Object.keys(mistakes).length > 0) return { outcome: 'refused', mistakes };
  return context.database.transaction().execute(async (transaction) => {
    // Every concurrent hold or move is either committed and seen here, or sees the closure.
    await lockSlots(transaction);
    const same = await findSameClosure(transaction, closure);
    if (same !== null) return { outcome: 'exists', closure: same };
    const live = await listUpcomingBookingsOfSlots(transaction, closure);
    if (cancelBookings && listed !== undefined && !areListed(live, listed)) {
      return { outcome: 'changed', bookings: live };
    }
    const added = await insertClosure(transaction, closure);
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
