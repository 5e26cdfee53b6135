import type { BookingStatus } from '../../generated/schemas.js';

/**
 * The status at `now` (milliseconds since the epoch). A hold is expired from `expires_at` on, whether
 * or not a job has recorded it.
 */
export function statusAt(
  { status, expires_at }: { status: BookingStatus; expires_at: Date },
  now: number,
): BookingStatus {
  return status === 'pending' && expires_at.getTime() <= now ? 'expired' : status;
}

/** Whether a booking of this status occupies its slot. */
export function isLive(status: BookingStatus): status is 'pending' | 'confirmed' {
  return status === 'pending' || status === 'confirmed';
}
