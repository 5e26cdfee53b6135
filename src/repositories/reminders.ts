import { sql, type Kysely } from 'kysely';
import type { ReminderChoice } from '../database/rows/results.js';
import type { Database } from '../database/rows/schema.js';

/** The choice of the booking's mailbox, on any of its bookings. Null if there is no such booking. */
export async function readReminderChoice(database: Kysely<Database>, bookingId: string) {
  const { rows } = await sql<ReminderChoice>`
    select id, current_token_sealed, email, exists (
      select from bookings other
      where canonical_mailbox(other.email) = canonical_mailbox(bookings.email)
        and other.confirmed_at is not null and other.email is not null
        and other.reminders_stopped_at is not null
    ) as stopped
    from bookings where id = ${bookingId}`.execute(database);
  return rows[0] ?? null;
}

/**
 * Stops or resumes the reminders of a booking's mailbox, on all of its bookings that were ever confirmed.
 * Does nothing if the booking has no address.
 */
export async function updateReminderChoice(
  database: Kysely<Database>,
  bookingId: string,
  choice: 'stop' | 'resume',
) {
  const isStop = choice === 'stop';
  // Rows are locked in one order, so that concurrent requests do not deadlock.
  await sql`
    with chosen as materialized (
      select id from bookings
      where canonical_mailbox(email) = (select canonical_mailbox(email) from bookings where id = ${bookingId})
        and confirmed_at is not null and email is not null
        and (reminders_stopped_at is null) = ${isStop}
      order by id
      for no key update
    )
    update bookings set reminders_stopped_at = ${isStop ? sql`booking_now()` : sql`null`}
    from chosen where bookings.id = chosen.id`.execute(database);
}
