import type { Context } from '../../src/context.js';
import type { BookingRow } from '../../src/database/schema.js';

/** All columns of a booking. */
export async function bookingRow(
  { database }: Pick<Context, 'database'>,
  id: string,
): Promise<BookingRow> {
  return database.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}
