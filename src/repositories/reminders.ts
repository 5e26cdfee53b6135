import { sql, type Kysely } from 'kysely';
import type { BookingRow, Database } from '../database/schema.js';

/** Null if the booking does not exist. */
export async function readReminderChoice(
  database: Kysely<Database>,
  bookingId: string,
): Promise<Pick<BookingRow, 'email' | 'reminders_stopped_at'> | null> {
  const row = await database
    .selectFrom('bookings')
    .select(['email', 'reminders_stopped_at'])
    .where('id', '=', bookingId)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Stops or resumes the reminders of a mailbox: that of a booking, on all its bookings that have once
 * been confirmed. Does nothing if the booking has no address.
 */
export async function chooseReminders(
  database: Kysely<Database>,
  bookingId: string,
  choice: 'stop' | 'resume',
): Promise<void> {
  const stops = choice === 'stop';
  // Locked in one order: two presses at once must not deadlock.
  await sql`
    with chosen as materialized (
      select id from bookings
      where mailbox_of(email) = (select mailbox_of(email) from bookings where id = ${bookingId})
        and confirmed_at is not null and email is not null
        and (reminders_stopped_at is null) = ${stops}
      order by id
      for no key update
    )
    update bookings set reminders_stopped_at = ${stops ? sql`booking_now()` : sql`null`}
    from chosen where bookings.id = chosen.id`.execute(database);
}
