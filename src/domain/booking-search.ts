import type { DatabaseServices } from '../database/services.js';
import type { BookingRow } from '../database/schema.js';
import {
  findBookingsByIdPrefix,
  searchBookings,
  type BookingFilter,
} from '../repositories/booking-search.js';

/** Bookings with their personal data, for the studio: in the order of their dates. */
export async function listBookings(
  context: Pick<DatabaseServices, 'database'>,
  filter: BookingFilter,
  limit: number,
): Promise<BookingRow[]> {
  return searchBookings(context.database, filter, limit);
}

/** The bookings whose ids begin so; of several, two. */
export async function findBookings(
  context: Pick<DatabaseServices, 'database'>,
  idPrefix: string,
): Promise<BookingRow[]> {
  return findBookingsByIdPrefix(context.database, idPrefix, 2);
}
