import type { Booking } from '../../generated/schemas.js';
import type { DomainServices } from './deps.js';
import type { CalendarServices } from '../calendar/services.js';
import { ServiceError } from '../errors.js';
import type { BookingWait } from '../calendar/booking-waits.js';
import { bookingView } from '../views/booking.js';
import type { Caller } from '../access/caller.js';

type ReadServices = Pick<DomainServices, 'publicBookings' | 'clock'>;

/** The public booking. Throws `booking_not_found`. */
export async function readBooking(context: ReadServices, id: string): Promise<Booking> {
  const booking = await context.publicBookings(id);
  if (booking === null) throw new ServiceError('booking_not_found');
  return bookingView(booking, context.clock.now());
}

export interface AwaitedBooking {
  booking: Booking;
  /** False where there was no place to wait in, so that the answer came at once. */
  waited: boolean;
}

/**
 * The public booking as soon as it is not pending any more, or after so many seconds as it is. Who
 * finds it confirmed waits no longer: that is what it waited for. Once the signal says that nobody
 * waits for the answer any more, the place is free. Throws `booking_not_found`.
 */
export async function awaitBooking(
  context: ReadServices & Pick<CalendarServices, 'bookingWaits'>,
  caller: Caller,
  id: string,
  seconds: number,
  signal: AbortSignal,
): Promise<AwaitedBooking> {
  const wait = context.bookingWaits.begin(id, caller.apiKeyId ?? caller.address);
  if (wait === null) return { booking: await readBooking(context, id), waited: false };
  const end = () => wait.end();
  signal.addEventListener('abort', end);
  try {
    if (signal.aborted) end();
    return { booking: await awaitChange(context, wait, id, seconds * 1_000), waited: true };
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

async function awaitChange(
  context: ReadServices,
  wait: BookingWait,
  id: string,
  milliseconds: number,
): Promise<Booking> {
  const endsAt = performance.now() + milliseconds;
  let booking = await readBooking(context, id);
  while (booking.status === 'pending') {
    const remainingMs = endsAt - performance.now();
    const lapseMs = Date.parse(booking.expires_at) - context.clock.now() + 1;
    const outcome = await wait.next(Math.max(Math.min(remainingMs, lapseMs), 0));
    if (outcome === 'end' || (outcome === 'time' && remainingMs <= lapseMs)) break;
    booking = await readBooking(context, id);
  }
  return booking;
}
