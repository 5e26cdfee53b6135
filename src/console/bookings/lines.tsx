import type { VNode } from 'preact';
import type { BookingRow } from '../../database/rows/schema.js';
import { personName } from '../../domain/studio/words.js';
import { sessionOf } from '../../schedule/times.js';
import { linkToClient } from '../links.js';
import { DayAndHours, ShortDayAndHours } from '../moment.js';
import { PhoneLink } from './words.js';

interface BookingLineProps {
  booking: BookingRow;
  /** Where the name leads. */
  href: string;
  class?: string;
  state: string;
  more: string;
}

/** A line of a long list: the name and when, with the telephone. */
export function BookingLine({ booking, href, state, more, ...rest }: BookingLineProps): VNode {
  return (
    <li class={rest.class}>
      <span class="date">
        <ShortDayAndHours of={sessionOf(booking)} />
      </span>
      <a class="client" href={href}>
        <bdi>{personName(booking)}</bdi>
      </a>
      <span class="state">{state}</span>
      <span class="phone">{booking.phone !== null && <PhoneLink phone={booking.phone} />}</span>
      <span class="muted">{more}</span>
    </li>
  );
}

/** Clients, by one booking of each. */
export function ClientLines<Client extends BookingRow>(props: {
  clients: readonly Client[];
  wordsOf: (client: Client) => string;
}): VNode {
  return (
    <ul class="booking-lines">
      {props.clients.map((client) => (
        <li key={client.id}>
          <a href={linkToClient(client.id)}>
            <bdi>{personName(client)}</bdi>
          </a>{' '}
          <bdi class="muted">{props.wordsOf(client)}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** The sessions that a form changes, too. */
export function SessionList({ bookings }: { bookings: readonly BookingRow[] }): VNode {
  return (
    <ul class="cancels">
      {bookings.map((booking) => (
        <li key={booking.id}>
          <DayAndHours of={sessionOf(booking)} />
        </li>
      ))}
    </ul>
  );
}
