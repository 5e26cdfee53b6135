import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { onlyRow } from '../database/row-queries.js';
import type { BookingRow, Database } from '../database/rows/schema.js';
import { changeInSlotData, recordBookingEvents, sequenceData, wordData } from './events.js';

/**
 * Whether the session of a booking is confirmed, on a day that the studio has closed, and undecided.
 * Watched calendars close no days: they make conflicts.
 */
export function isUndecided(booking: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${booking}.${name}`);
  return sql`(${column('status')} = 'confirmed' and ${column('closed_day_choice')} is null
    and is_closed_by_studio(${column('date')}, ${column('time_slot')}, ${column('artist_id')},
      ${column('starts_at')}, ${column('ends_at')}))`;
}

/** Whether a closure covers the session of a row of `bookings`, or its artist is not there. */
const isOnClosedDay = sql<boolean>`is_closed_by_studio(
  date, time_slot, artist_id, starts_at, ends_at)`;

/** Whether a closure covers the session of a booking, or its artist is not there. */
export async function findIsClosed(database: Kysely<Database>, id: string): Promise<boolean> {
  const { rows } = await sql<{ isClosed: boolean }>`
    select ${isOnClosedDay} as "isClosed" from bookings where id = ${id}`.execute(database);
  return onlyRow(rows).isClosed;
}

/**
 * The undecided sessions to come on closed days, and those whose person is asked to choose another time;
 * by their start.
 */
export async function listOpenQuestions(database: Kysely<Database>) {
  const { rows } = await sql<BookingRow>`
    select * from bookings
    where status = 'confirmed' and date >= (select booking_now()::date - 2)
      and starts_at > booking_now()
      and (${isUndecided('bookings')} or closed_day_choice = 'asked')
    order by starts_at`.execute(database);
  return rows;
}

/**
 * Asks the person of a confirmed session that has not begun to choose another time, or withdraws the
 * question: the session is then kept, or needs no decision if its day is open again. The event becomes a
 * mail. The caller has locked the booking.
 */
export async function changeChoice(
  transaction: Transaction<Database>,
  id: string,
  choice: 'asked' | 'kept',
  word: string | null,
) {
  const moreData = sql`${changeInSlotData('studio')} || ${wordData(word)}`;
  const { rows } = await sql<BookingRow>`
    with moment as materialized (select booking_now() as now),
    chosen as (
      update bookings
      set closed_day_choice = case
          when ${choice} = 'asked' or ${isOnClosedDay} then ${choice} end,
        studio_word = ${word}, sequence = sequence + 1
      from moment
      where id = ${id} and status = 'confirmed' and starts_at > moment.now
      returning bookings.*
    ),
    event as (${recordBookingEvents(`booking.${choice}`, 'chosen', sql`(select now from moment)`, moreData)})
    select * from chosen`.execute(transaction);
  return rows[0] ?? null;
}

/** Keeps a booking where it is, without event and sequence: its person gets no mail. */
export async function keepBooking(transaction: Transaction<Database>, id: string) {
  return transaction
    .updateTable('bookings')
    .set({ closed_day_choice: 'kept' })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Removes the decisions to keep bookings whose days are no longer closed. */
export async function forgetKept(transaction: Transaction<Database>) {
  await sql`
    update bookings set closed_day_choice = null
    where closed_day_choice = 'kept' and status in ('pending', 'confirmed')
      and date >= (select booking_now()::date - 2)
      and not ${isOnClosedDay}`.execute(transaction);
}

/** Records one event about all sessions that a closure left undecided; it becomes one mail. */
export async function recordLeftUndecided(
  transaction: Transaction<Database>,
  bookingIds: readonly string[],
) {
  const moreData = sql`${sequenceData} || jsonb_build_object(
    'left_undecided', ${JSON.stringify(bookingIds)}::jsonb)`;
  await sql`
    with left_there as (select * from bookings where id = ${bookingIds[0]})
    ${recordBookingEvents('booking.conflict', 'left_there', sql`booking_now()`, moreData)}`.execute(
    transaction,
  );
}
