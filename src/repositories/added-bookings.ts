import { sql, type Transaction } from 'kysely';
import type { BookingRow, Database } from '../database/schema.js';
import { changeData, recordBookingEvents } from './events.js';
import { expireLapsedHold, type BookedSlot } from './slot-taking.js';

/** The columns of a booking that the studio adds. */
export interface NewBooking extends BookedSlot {
  name: string;
  email: string | null;
  phone: string | null;
  pronouns: string | null;
  idea: string | null;
  checkoutTokenHash: Buffer;
  checkoutTokenSealed: Buffer;
  /** For `expires_at`, which every booking has. */
  lifetimeSeconds: number;
}

/**
 * Inserts a confirmed booking, unless its slot is taken, and its event row. The transaction must hold
 * the lock of `lockSlots`.
 */
export async function insertConfirmed(
  transaction: Transaction<Database>,
  booking: NewBooking,
): Promise<BookingRow | null> {
  const { rows } = await sql<BookingRow>`
    with moment as materialized (select booking_now() as now),
    ${expireLapsedHold(booking)},
    added as (
      insert into bookings (
        status, date, time_slot, starts_at, starts_at_text, timezone, label,
        created_at, expires_at, confirmed_at, channel, confirmed_via,
        name, email, phone, pronouns, idea, checkout_token_hash, checkout_token_sealed
      )
      select 'confirmed', ${booking.date}::date, ${booking.timeSlot}, ${booking.startsAt}::timestamptz,
        ${booking.startsAtText}, ${booking.timezone}, ${booking.label},
        moment.now, moment.now + make_interval(secs => ${booking.lifetimeSeconds}), moment.now,
        'studio', 'studio',
        ${booking.name}, ${booking.email}, ${booking.phone}, ${booking.pronouns}, ${booking.idea},
        ${booking.checkoutTokenHash}::bytea, ${booking.checkoutTokenSealed}::bytea
      from moment, after_expiry
      on conflict do nothing
      returning *
    ),
    event as (${recordBookingEvents('booking.confirmed', 'added', sql`(select now from moment)`, changeData('studio'))})
    select * from added`.execute(transaction);
  return rows[0] ?? null;
}
