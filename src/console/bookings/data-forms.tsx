import type { VNode } from 'preact';
import type { BookingRow } from '../../database/rows/schema.js';
import { sessionOf } from '../../schedule/times.js';
import { choice, form } from '../../web/forms.js';
import { linkToBooking } from '../links.js';
import { DayAndHours } from '../moment.js';
import { PostForm } from '../parts.js';
import { listed, listedBookings } from './fields.js';

const whose = choice('client', 'booking');

export const copySchema = form({ whose, as: choice('page', 'json') });

/** `booking`: one of the client's. */
export function CopyForms({ booking: { id, name, email } }: { booking: BookingRow }): VNode {
  const copyForm = (of: 'client' | 'booking', what: string, name: string) => (
    <PostForm action={`${linkToBooking(id)}/copy`} hidden={{ whose: of }}>
      <p>{what}</p>
      <button name="as" value="page">
        Page of this {name}
      </button>{' '}
      <button name="as" value="json" class="quiet" data-download>
        JSON of this {name}
      </button>
    </PostForm>
  );
  return (
    <details>
      <summary class="button quiet">Copy for the person…</summary>
      <div>
        <p>
          All that is kept of the person, to read and to print, with your notes and your words, and
          what is not kept. See that whoever asks is the person, and read it before you hand it
          over. The audit says that you made it.
        </p>
        {name !== null && copyForm('client', `Of ${allOf(email)}`, 'client')}
        {copyForm('booking', 'This booking only.', 'booking')}
      </div>
    </details>
  );
}

export const forgetSchema = form({ whose, cancels: listed });

export interface ForgetFormsProps {
  /** One of the client's. */
  booking: BookingRow;
  /** The sessions that erasing the client cancels. */
  upcoming: readonly BookingRow[];
  isOpen?: boolean;
}

export function ForgetForms({ booking, upcoming, isOpen = false }: ForgetFormsProps): VNode {
  const action = `${linkToBooking(booking.id)}/forget`;
  const own = upcoming.filter(({ id }) => id === booking.id);
  return (
    <details open={isOpen}>
      <summary class="button quiet">Forget the person…</summary>
      <div>
        <p>
          Erases name, e-mail address, phone number, pronouns, idea, the reason of a cancellation
          and your notes. What is past stays in the lists, without them. This cannot be undone.
        </p>
        {booking.name !== null && (
          <PostForm action={action} hidden={{ whose: 'client', cancels: listedBookings(upcoming) }}>
            <Cancels bookings={upcoming} what={`From ${allOf(booking.email)}`} />
            <button>Erase all data of this client</button>
          </PostForm>
        )}
        <PostForm action={action} hidden={{ whose: 'booking', cancels: listedBookings(own) }}>
          <Cancels bookings={own} what="From this booking only." />
          <button>Erase this booking’s data</button>
        </PostForm>
      </div>
    </details>
  );
}

/** What a form for the whole client is about. */
function allOf(email: string | null): string {
  return email === null
    ? 'all bookings of this phone number and name.'
    : 'all bookings of this mailbox, and its API keys.';
}

/** The bookings that erasing cancels: the studio would not know who comes. */
function Cancels({ bookings, what }: { bookings: readonly BookingRow[]; what: string }): VNode {
  return (
    <>
      <p>
        {what} {bookings.length > 0 && 'This cancels, and nobody gets a mail about it:'}
      </p>
      {bookings.length > 0 && (
        <ul class="cancels">
          {bookings.map((booking) => (
            <li key={booking.id}>
              <DayAndHours of={sessionOf(booking)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
