import type { HoldRequest, TimeSlot } from '../../generated/schemas.js';
import type { Context } from '../../src/context.js';
import { placeHold } from '../../src/domain/booking/holds.js';
import { addClosure } from '../../src/domain/studio/closures.js';
import type { Slot } from '../../src/schedule/slots.js';
import { bookingRow } from './bookings.js';
import { confirmCheckout } from './checkouts.js';
import { callerNumber, holdRequest, someOpenSlots } from './requests.js';
import type { TestService } from './service.js';

/** Holds a slot, the first open one unless given, as an agent leaves it to its person. */
export async function holdForPerson(
  { context }: Pick<TestService, 'context'>,
  changes: Partial<HoldRequest> = {},
  wanted?: Slot,
) {
  const slot = wanted ?? (await someOpenSlots(context, 1))[0];
  const placed = await placeHold(context, callerNumber(1), holdRequest(slot, changes), null);
  const token = placed.checkoutToken;
  return {
    id: placed.booking.id,
    slot,
    token,
    /** Of the checkout page. */
    url: `${context.config.publicBaseUrl}/checkout/${token}`,
  };
}

/** As `holdForPerson`, and confirmed. */
export async function sessionForPerson(...hold: Parameters<typeof holdForPerson>) {
  const held = await holdForPerson(...hold);
  await confirmCheckout(hold[0].context, held.token);
  return held;
}

/** Holds a slot for the example person. Resolves with all columns of the booking. */
export async function hold(context: Context, date: string, timeSlot: TimeSlot = '1:00 PM') {
  const { id, token } = await holdForPerson({ context }, {}, { date, timeSlot });
  return { booking: await bookingRow(context, id), token };
}

/** Closes a date, or one of its slots, for all artists or for one. */
export async function close(
  context: Context,
  date: string,
  timeSlot: TimeSlot | null = null,
  artistId: number | null = null,
) {
  const closure = { fromDate: date, toDate: date, timeSlot, reason: '', artistId };
  const closed = await addClosure(context, 'ada@desk', closure);
  if (closed.outcome !== 'added') throw new Error(closed.outcome);
  return closed.closure;
}
