import type { Context } from '../../src/context.js';
import type { BookingRow } from '../../src/database/rows/schema.js';
import type { Slot } from '../../src/schedule/slots.js';
import type { Session } from '../../src/schedule/times.js';
import type { ClosingTime } from '../../src/schedule/weeks.js';
import { sessionWords } from '../../src/schedule/words.js';

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

/** The statuses of the bookings of a slot that are not cancelled. */
export async function livingOf(
  { database }: Pick<Context, 'database'>,
  { date, timeSlot }: Slot,
): Promise<string[]> {
  const ofSlot = database
    .selectFrom('bookings')
    .where('date', '=', date)
    .where('time_slot', '=', timeSlot);
  const rows = await ofSlot.where('status', '<>', 'cancelled').select('status').execute();
  return rows.map(({ status }) => status);
}

/** All that a change of a booking stores. */
export async function storedBookings({ database }: Pick<Context, 'database'>) {
  const bookings = await database.selectFrom('bookings').selectAll().orderBy('id').execute();
  const events = await database.selectFrom('events').selectAll().orderBy('id').execute();
  const mails = await database.selectFrom('mails').selectAll().orderBy('id').execute();
  return { bookings, events, mails };
}

/** A session as pages say it, with plain spaces. */
export function sessionText(session: Session, openingHours?: readonly ClosingTime[]): string {
  return sessionWords(session, openingHours).replaceAll('\u00a0', ' ');
}

/** A studio in a zone whose only artist's sessions end with the next, and after four hours. */
export function timesIn(timezone: string) {
  const sessions = { 1: [], 2: [], 3: [], 4: [], 5: [], 6: [], 7: [] };
  const days = { firstDay: null, lastDay: null };
  const week = {
    ...days,
    sessions,
    dated: [],
    hours: [],
    closures: [],
    busySlots: new Set<string>(),
  };
  const artists = [{ id: 1, isHidden: false, ...week }];
  return { calendar: { timezone, openings: new Map(), artists } };
}
