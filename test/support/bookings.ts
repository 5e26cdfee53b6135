import type { Context } from '../../src/context.js';
import type { BookingRow } from '../../src/database/schema.js';

/** All columns of a booking. */
export async function bookingRow(
  { database }: Pick<Context, 'database'>,
  id: string,
): Promise<BookingRow> {
  return database.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** The types of the events of a booking, oldest first. */
export async function eventTypesOf(
  { database }: Pick<Context, 'database'>,
  id: string,
): Promise<string[]> {
  const rows = await database
    .selectFrom('events')
    .select('type')
    .where('booking_id', '=', id)
    .orderBy('position')
    .execute();
  return rows.map(({ type }) => type);
}
