import type { VNode } from 'preact';
import type { BookingConflict } from '../../domain/conflicts.js';
import { linkToBooking } from '../links.js';
import { personName } from '../bookings/words.js';
import { shortDate } from '../moment.js';
import { busyCalendars } from './words.js';

/** The confirmed sessions that a watched calendar is busy during. */
export function Conflicts({ conflicts }: { conflicts: readonly BookingConflict[] }): VNode {
  return (
    <section aria-labelledby="conflicts">
      <h2 id="conflicts">Conflicts</h2>
      <p class="muted">
        A watched calendar is busy during these sessions, which are booked. The bookings stay: move
        or cancel them, or change the event.
      </p>
      <ul class="rows conflicts">
        {conflicts.map((conflict) => (
          <ConflictRow key={conflict.booking.id} conflict={conflict} />
        ))}
      </ul>
    </section>
  );
}

function ConflictRow({ conflict }: { conflict: BookingConflict }): VNode {
  const { id, name, date, time_slot } = conflict.booking;
  return (
    <li>
      <p>
        {shortDate(date)}, {time_slot}
      </p>
      <p>
        <a href={linkToBooking(id)}>
          <bdi>{personName({ name })}</bdi>
        </a>
      </p>
      <ul>
        {busyCalendars(conflict).map(({ calendarId, label, times }) => (
          <li key={calendarId}>
            <bdi>{label}</bdi> <span class="warned">busy {times}</span>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** `Your calendar is busy then: Phone, 2 – 4 PM`. */
export function ConflictFact({ conflict }: { conflict: BookingConflict }): VNode {
  return (
    <span class="warned">
      Your calendar is busy then:{' '}
      {busyCalendars(conflict).map(({ calendarId, label, times }, index) => (
        <span key={calendarId}>
          {index > 0 && '; '}
          <bdi>{label}</bdi>, {times}
        </span>
      ))}
    </span>
  );
}
