import type { Booking } from '../../generated/schemas.js';
import type { Context } from '../context.js';
import { ServiceError } from '../errors.js';
import { findBookingById } from '../repositories/bookings.js';
import { bookingView } from '../views/booking.js';

/** The public booking. Throws `booking_not_found`. */
export async function readBooking(
  context: Pick<Context, 'database' | 'clock'>,
  id: string,
): Promise<Booking> {
  const booking = await findBookingById(context.database, id);
  if (booking === null) throw new ServiceError('booking_not_found');
  return bookingView(booking, context.clock.now());
}
