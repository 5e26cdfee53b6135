import type { CalendarServices } from '../calendar/services.js';
import type { BookingRow, BookingStatus } from '../database/schema.js';
import { cancelBooking, confirmBooking } from '../repositories/booking-transitions.js';
import { findBookingByCheckoutToken, lockHoldCreation } from '../repositories/bookings.js';
import { sha256 } from '../platform/keyring.js';
import { isCheckoutToken } from '../platform/tokens.js';
import { slotState, type SlotState } from '../calendar/calendar.js';
import type { Caller } from '../access/caller.js';
import { holdAgainKey } from './hold-request.js';
import { placeHoldOnce, type HoldServices, type PlacedHold } from './holds.js';

/** What a person sees who opens a checkout link. */
export interface Checkout {
  booking: BookingRow;
  /** As it is now: a lapsed hold is `expired`, whether or not any job has run. */
  status: BookingStatus;
  /** Of an expired hold: whether its slot could be held again. Null otherwise. */
  slotState: SlotState | null;
  hasStarted: boolean;
}

type CheckoutServices = Pick<CalendarServices, 'database' | 'clock' | 'board'>;

/** Looks a checkout link up, changing nothing. Null when there is no such link. */
export async function findCheckout(
  context: CheckoutServices,
  token: string,
): Promise<Checkout | null> {
  if (!isCheckoutToken(token)) return null;
  const booking = await findBookingByCheckoutToken(context.database, sha256(token));
  if (booking === null) return null;
  const { calendar, taken } = await context.board.read();
  const now = context.clock.now();
  const lapsed = booking.status === 'pending' && booking.expires_at.getTime() <= now;
  const status = lapsed ? 'expired' : booking.status;
  const slot = { date: booking.date, timeSlot: booking.time_slot };
  return {
    booking,
    status,
    slotState: status === 'expired' ? slotState(calendar, taken, slot, now) : null,
    hasStarted: booking.starts_at.getTime() <= now,
  };
}

/**
 * The person locks the session in. Confirming what is confirmed already changes nothing and is no
 * failure; confirming what has lapsed or was given up does nothing. The page shows what is then.
 */
export async function confirmCheckout(context: CheckoutServices, token: string): Promise<void> {
  const checkout = await findCheckout(context, token);
  if (checkout === null) return;
  // Under the lock of holds: a confirmation whose commit is under way when its hold lapses would not
  // be counted by a hold placed then, and so pass a cap of live bookings.
  const confirmed = await context.database.transaction().execute(async (transaction) => {
    await lockHoldCreation(transaction);
    return confirmBooking(transaction, checkout.booking.id);
  });
  if (confirmed !== null) context.board.apply(confirmed);
}

/**
 * The person gives the session up: the hold, or the confirmed booking, whichever they saw. A session
 * that has begun stays as it is.
 */
export async function releaseCheckout(
  context: CheckoutServices,
  token: string,
  from: 'pending' | 'confirmed',
): Promise<void> {
  const checkout = await findCheckout(context, token);
  if (checkout === null) return;
  const cancelled = await cancelBooking(context.database, checkout.booking.id, from, 'person');
  if (cancelled !== null) context.board.apply(cancelled);
}

/**
 * Holds the slot of an expired hold again, with the same details, as a new booking. Pressed twice,
 * it makes one. Null when there is nothing to hold again.
 *
 * Throws `rate_limited`, `slot_unavailable`, `too_many_pending_holds`.
 */
export async function holdAgain(
  context: HoldServices & CheckoutServices,
  caller: Caller,
  token: string,
): Promise<PlacedHold | null> {
  const checkout = await findCheckout(context, token);
  if (checkout?.status !== 'expired') return null;
  const { booking } = checkout;
  // After the personal data was erased there are no details to hold the slot with.
  if (booking.name === null || booking.email === null || booking.phone === null) return null;
  return placeHoldOnce(
    context,
    caller,
    {
      date: booking.date,
      time_slot: booking.time_slot,
      name: booking.name,
      email: booking.email,
      phone: booking.phone,
      pronouns: booking.pronouns,
      idea: booking.idea,
    },
    holdAgainKey(context.keyring, booking.id),
  );
}
