import type { CalendarState } from '../calendar/board.js';
import { slotState } from '../calendar/calendar.js';
import { slotKey, type Slot } from '../calendar/slots.js';
import { ServiceError } from '../errors.js';
import { moveForPerson } from '../repositories/booking-moves.js';
import { bookedSlot } from './booked-slot.js';
import { findCheckout, type Checkout } from './checkout.js';
import type { DomainServices } from './deps.js';
import { moveLimits } from './move-rules.js';
import { slotUnavailable } from './slot-unavailable.js';

export type MoveServices = Pick<
  DomainServices,
  'database' | 'connect' | 'board' | 'clock' | 'config'
>;

/**
 * Moves the booking of a checkout link to another slot: it takes the new slot or keeps its own.
 * `sequence` is that of the booking as the person saw it; a booking that has changed since stays as
 * it is, and the page that follows shows it.
 *
 * Throws `move_refused` where `movePermission` does not allow the move, and `slot_unavailable`.
 */
export async function moveCheckout(
  context: MoveServices,
  token: string,
  to: Slot,
  sequence: number,
): Promise<void> {
  const checkout = await findCheckout(context, token);
  if (checkout === null || isDone(checkout, to, sequence)) return;
  const state = await expectMovable(context, checkout, to);
  if (state === null) return;
  const moved = await moveForPerson(
    context.database,
    context.connect,
    { id: checkout.booking.id, sequence, to: bookedSlot(state.calendar.timezone, to) },
    moveLimits(context.config),
  );
  if (moved !== null) {
    context.board.applyLocalChange(moved);
    return;
  }

  // Since the reads above, the booking, the slot or a closure has changed.
  const current = await findCheckout(context, token);
  if (current === null || isDone(current, to, sequence)) return;
  await context.board.refresh();
  const present = await expectMovable(context, current, to);
  if (present === null) return;
  // The slot was taken or closed, and is open again.
  throw slotUnavailable(context, present, to, 'taken');
}

/**
 * Whether nothing is left to do: the booking has the slot, has changed since the person saw it, or is
 * over.
 */
function isDone({ booking, status }: Checkout, to: Slot, sequence: number): boolean {
  return (
    booking.sequence !== sequence ||
    (booking.date === to.date && booking.time_slot === to.timeSlot) ||
    (status !== 'pending' && status !== 'confirmed')
  );
}

/** Null where the board, read after the booking, shows it in the slot: the same move, sent twice. */
async function expectMovable(
  context: MoveServices,
  { booking, move }: Checkout,
  to: Slot,
): Promise<CalendarState | null> {
  if (!move.allowed) throw new ServiceError('move_refused');
  const state = await context.board.read();
  if (state.taken.get(slotKey(to))?.id === booking.id) return null;
  const reason = slotState(state.calendar, state.taken, to, context.clock.now());
  if (reason !== 'open') throw slotUnavailable(context, state, to, reason);
  return state;
}
