import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { BookingRow } from '../../database/rows/schema.js';
import { type Client, upcomingOf } from '../../domain/studio/clients.js';
import { choice, form } from '../../web/forms.js';
import { linkToBooking } from '../links.js';
import { PageContext } from '../moment.js';
import { PostForm } from '../parts.js';
import { listed, listedBookings } from './fields.js';
import { SessionList } from './lines.js';

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

/** Erases the client, or the booking by which they were found. */
export function ForgetForms(props: { client: Client; isOpen?: boolean }): VNode {
  const { client, isOpen = false } = props;
  const { booking } = client;
  const upcoming = upcomingOf(client, useContext(PageContext).now);
  /** A form with what it cancels: the studio would not know who comes. */
  const forgetForm = (
    of: 'client' | 'booking',
    what: string,
    cancelled: readonly BookingRow[],
    button: string,
  ) => (
    <PostForm
      action={`${linkToBooking(booking.id)}/forget`}
      hidden={{ whose: of, cancels: listedBookings(cancelled) }}
    >
      <p>
        {what} {cancelled.length > 0 && 'This cancels, and nobody gets a mail about it:'}
      </p>
      {cancelled.length > 0 && <SessionList bookings={cancelled} />}
      <button>{button}</button>
    </PostForm>
  );
  const own = upcoming.filter(({ id }) => id === booking.id);
  const all = `From ${allOf(booking.email)}`;
  return (
    <details open={isOpen}>
      <summary class="button quiet">Forget the person…</summary>
      <div>
        <p>
          Erases name, e-mail address, phone number, pronouns, idea, the reason of a cancellation
          and your notes. What is past stays in the lists, without them. This cannot be undone.
        </p>
        {booking.name !== null &&
          forgetForm('client', all, upcoming, 'Erase all data of this client')}
        {forgetForm('booking', 'From this booking only.', own, 'Erase this booking’s data')}
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
