import type { VNode } from 'preact';
import type { BookingRow } from '../../database/schema.js';
import { linkToBooking } from '../bookings/links.js';
import { personName } from '../bookings/words.js';
import { longDate } from '../date-words.js';

/** Bookings, one per line, each with a link to what can be done with it. */
export function BookingLines({ bookings }: { bookings: readonly BookingRow[] }): VNode {
  return (
    <ul class="booking-lines">
      {bookings.map(({ id, date, time_slot, status, name }) => (
        <li key={id}>
          <span>
            {longDate(date)}, {time_slot}
          </span>{' '}
          <a href={linkToBooking(id)}>
            <bdi>{personName({ name })}</bdi>
          </a>
          {status === 'pending' && <span class="muted"> held</span>}
        </li>
      ))}
    </ul>
  );
}
