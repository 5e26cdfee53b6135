import type { Booking } from '../../generated/schemas.js';
import type { PublicBookingRow } from '../database/schema.js';

/**
 * The public booking as it is at `now` (milliseconds since the epoch): a lapsed hold reads
 * `expired` from its instant on, whether or not any job has run. No personal data.
 */
export function bookingView(booking: PublicBookingRow, now: number): Booking {
  const lapsed = booking.status === 'pending' && booking.expires_at.getTime() <= now;
  return {
    id: booking.id,
    status: lapsed ? 'expired' : booking.status,
    date: booking.date,
    time_slot: booking.time_slot,
    starts_at: booking.starts_at_text,
    timezone: booking.timezone,
    label: booking.label,
    created_at: booking.created_at.toISOString(),
    expires_at: booking.expires_at.toISOString(),
    confirmed_at: booking.confirmed_at?.toISOString() ?? null,
    cancelled_at: booking.cancelled_at?.toISOString() ?? null,
    expired_at: (lapsed ? booking.expires_at : booking.expired_at)?.toISOString() ?? null,
  };
}
