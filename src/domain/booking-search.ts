import type { Context } from '../context.js';
import type { BookingRow } from '../database/schema.js';
import {
  findBookingsByIdPrefix,
  searchBookings,
  type BookingFilter,
} from '../repositories/booking-search.js';

/** Bookings with their personal data, for the studio: in the order of their dates. */
export async function listBookings(
  context: Pick<Context, 'database'>,
  filter: BookingFilter,
  limit: number,
): Promise<BookingRow[]> {
  return searchBookings(context.database, filter, limit);
}

/** The bookings whose ids begin so; of several, two. */
export async function findBookings(
  context: Pick<Context, 'database'>,
  idPrefix: string,
): Promise<BookingRow[]> {
  return findBookingsByIdPrefix(context.database, idPrefix, 2);
}
