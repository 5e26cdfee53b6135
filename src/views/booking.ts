import type { Booking } from '../../generated/schemas.js';
import { statusAt } from '../schedule/booking-status.js';
import type { PublicBookingRow } from '../database/schema.js';

/** The public booking at `now` (milliseconds since the epoch), without personal data. */
export function bookingView(booking: PublicBookingRow, now: number): Booking {
  const status = statusAt(booking, now);
  return {
    id: booking.id,
    status,
    date: booking.date,
    time_slot: booking.time_slot,
    starts_at: booking.starts_at_text,
    timezone: booking.timezone,
    label: booking.label,
    created_at: booking.created_at.toISOString(),
    expires_at: booking.expires_at.toISOString(),
    confirmed_at: booking.confirmed_at?.toISOString() ?? null,
    cancelled_at: booking.cancelled_at?.toISOString() ?? null,
    expired_at: status === 'expired' ? booking.expires_at.toISOString() : null,
  };
}
