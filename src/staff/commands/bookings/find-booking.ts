import type { BookingRow } from '../../../database/schema.js';
import { findBookingsByIdPrefix } from '../../../repositories/booking-search.js';
import { isLive } from '../../../schedule/slots.js';
import { bookingView } from '../../../views/booking.js';
import { onlyOne, StaffError } from '../../failure.js';
import type { StaffServices } from '../../session.js';

/** Throws `notFound`, or `refused` where several ids begin so. */
export async function findBooking(services: StaffServices, id: string): Promise<BookingRow> {
  return onlyOne(await findBookingsByIdPrefix(services.database, id, 2), 'booking', id);
}

/** Throws `refused` for a booking that is cancelled or expired. */
export function requireLive(services: StaffServices, booking: BookingRow): void {
  const { status } = bookingView(booking, services.clock.now());
  if (!isLive(status)) throw notLive({ ...booking, status });
}

/** The failure for a booking that is no longer live. */
export function notLive({ label, status }: Pick<BookingRow, 'label' | 'status'>): StaffError {
  // A hold that is still `pending` here has lapsed by the database's clock, which decides.
  const shown = status === 'pending' ? 'expired' : status;
  return new StaffError('refused', `${label} is already ${shown}; nothing was changed.`);
}

export function notFound(id: string): StaffError {
  return new StaffError('notFound', `No booking has the id ${id}.`);
}

/** The failure for a booking that changed while the question was asked. */
export function changed({ label }: Pick<BookingRow, 'label'>): StaffError {
  return new StaffError(
    'refused',
    `The booking has changed meanwhile, and is now on ${label}; nothing was done. Run the command again.`,
  );
}
