import type { BookingRow } from '../database/schema.js';
import { bookingView } from '../views/booking.js';
import type { StaffServices } from './session.js';
import { facts, localTime, shortId, table } from './text.js';

/** The public booking plus the personal data that only the studio sees, for `--json`. */
export function bookingData(
  services: Pick<StaffServices, 'clock'>,
): (booking: BookingRow) => Record<string, unknown> {
  return (booking) => {
    const { name, email, phone, pronouns, idea } = booking;
    return { ...bookingView(booking, services.clock.now()), name, email, phone, pronouns, idea };
  };
}

/** Bookings as a table, one per line. */
export function bookingTable(
  services: Pick<StaffServices, 'clock'>,
  bookings: readonly BookingRow[],
): string[] {
  return table(
    ['ID', 'DATE', 'SESSION', 'STATUS', 'NAME', 'PHONE', 'E-MAIL'],
    bookings.map((booking) => [
      shortId(booking.id),
      booking.date,
      booking.time_slot,
      bookingView(booking, services.clock.now()).status,
      booking.name ?? '(erased)',
      booking.phone ?? '',
      booking.email ?? '',
    ]),
  );
}

/** Every detail of one booking, one per line. */
export function bookingText(services: Pick<StaffServices, 'clock'>, booking: BookingRow): string[] {
  const view = bookingView(booking, services.clock.now());
  const at = (instant: string | null) =>
    instant === null ? null : localTime(new Date(instant), booking.timezone);
  return facts([
    ['Id', booking.id],
    ['When', `${booking.label} (${booking.timezone})`],
    ['Status', view.status],
    ['Name', booking.name ?? '(erased)'],
    ['Pronouns', booking.pronouns],
    ['Phone', booking.phone],
    ['E-mail', booking.email],
    ['Idea', booking.idea],
    ['Held', at(view.created_at)],
    [
      view.status === 'pending' ? 'Expires' : 'Expired',
      view.status === 'pending' ? at(view.expires_at) : at(view.expired_at),
    ],
    ['Confirmed', at(view.confirmed_at)],
    ['Cancelled', at(view.cancelled_at)],
  ]);
}
