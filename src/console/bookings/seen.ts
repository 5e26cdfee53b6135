import { Type } from '@sinclair/typebox';
import type { BookingRow } from '../../database/schema.js';
import type { ListedBooking, SeenBooking } from '../../domain/booking-record.js';
import { choice, count } from '../../web/forms.js';

/** The hidden fields by which a form says how its page showed the booking. */
export function seenFields({ sequence, no_show_at }: BookingRow): Record<string, string | number> {
  return { sequence, missed: no_show_at === null ? 'no' : 'yes' };
}

/** Their schemas. */
export const seen = { sequence: count, missed: choice('yes', 'no') };

/** The inverse of `seenFields`. */
export function readSeen({
  sequence,
  missed,
}: {
  sequence: number;
  missed: 'yes' | 'no';
}): Required<SeenBooking> {
  return { sequence, isMissed: missed === 'yes' };
}

/** The hidden field of a form for the bookings that its page listed. */
export function listedBookings(bookings: readonly ListedBooking[]): string {
  return bookings.map(({ id, sequence }) => `${id}:${sequence}`).join(' ');
}

/** Its schema. */
export const listed = Type.String({ pattern: '^([0-9a-f-]{36}:\\d{1,9}( |$))*$' });

/** The inverse of `listedBookings`. */
export function readListedBookings(field: string): ListedBooking[] {
  return [...field.matchAll(/([0-9a-f-]{36}):(\d+)/g)].map(([, id = '', sequence]) => ({
    id,
    sequence: Number(sequence),
  }));
}
