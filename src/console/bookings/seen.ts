import type { BookingRow } from '../../database/schema.js';
import type { ListedBooking, SeenBooking } from '../../domain/booking-record.js';
import { formRefused, readSequence, type Fields } from '../../web/form-fields.js';

/** The hidden fields by which a form says how its page showed the booking. */
export function seenFields({ sequence, no_show_at }: BookingRow): Record<string, string | number> {
  return { sequence, missed: no_show_at === null ? 'no' : 'yes' };
}

/** The inverse. Throws `invalid_request` if they are missing. */
export function readSeen(fields: Fields): SeenBooking & { sequence: number } {
  const sequence = readSequence(fields['sequence']);
  const { missed } = fields;
  if (sequence === null || (missed !== 'yes' && missed !== 'no')) throw formRefused();
  return { sequence, isMissed: missed === 'yes' };
}

/** The hidden field of a form for the bookings that its page listed. */
export function listedBookings(bookings: readonly ListedBooking[]): string {
  return bookings.map(({ id, sequence }) => `${id}:${sequence}`).join(' ');
}

/** The inverse. Throws `invalid_request` for anything else. */
export function readListedBookings(field: unknown): ListedBooking[] {
  if (typeof field !== 'string') throw formRefused();
  return field
    .split(' ')
    .filter((each) => each !== '')
    .map((each) => {
      const [, id, digits] = /^([0-9a-f-]{36}):(\d{1,9})$/.exec(each) ?? [];
      if (id === undefined) throw formRefused();
      return { id, sequence: Number(digits) };
    });
}
