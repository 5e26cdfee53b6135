import type { Slot } from '../../src/calendar/slots.js';
import type { Context } from '../../src/context.js';
import type { BookingRow } from '../../src/database/schema.js';

/** All columns of a booking. */
export async function bookingRow(
  { database }: Pick<Context, 'database'>,
  id: string,
): Promise<BookingRow> {
  return database.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export function slotOf({ date, time_slot }: Pick<BookingRow, 'date' | 'time_slot'>): Slot {
  return { date, timeSlot: time_slot };
}
