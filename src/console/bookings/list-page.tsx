import type { VNode } from 'preact';
import type { BookingRow, BookingStatus } from '../../database/schema.js';
import type { ListPage } from '../../domain/studio-lists.js';
import { statusAt } from '../../schedule/slots.js';
import { sessionOf } from '../../schedule/words.js';
import { PostForm } from '../form.js';
import { bookingsPath, linkToAdd, linkToBooking } from '../links.js';
import { shortDate } from '../moment.js';
import { Hours } from '../session-hours.js';
import { PhoneLink } from './mailed.js';
import { channelWords, personName, statusText } from './words.js';

export const statusChoices = {
  live: { label: 'held and confirmed', statuses: ['pending', 'confirmed'] },
  pending: { label: 'held', statuses: ['pending'] },
  confirmed: { label: 'confirmed', statuses: ['confirmed'] },
  cancelled: { label: 'cancelled', statuses: ['cancelled'] },
  expired: { label: 'lapsed', statuses: ['expired'] },
  all: { label: 'all', statuses: ['pending', 'confirmed', 'cancelled', 'expired'] },
} as const satisfies Record<string, { label: string; statuses: readonly BookingStatus[] }>;

export type StatusChoice = keyof typeof statusChoices;

export interface ListFilter {
  from: string;
  to: string | undefined;
  status: StatusChoice;
}

export interface BookingListPageProps {
  found: ListPage<BookingRow>;
  filter: ListFilter;
  /** From 1. */
  page: number;
  /** Milliseconds since the epoch. */
  now: number;
  today: string;
}

/** Bookings by date. */
export function BookingListPage({ found, filter, page, now, today }: BookingListPageProps): VNode {
  const { rows: bookings, more } = found;
  const isUpcoming = filter.from === today && filter.to === undefined && filter.status === 'live';
  return (
    <>
      <Tools text="" date={filter.from < today ? today : filter.from} />
      <form action={bookingsPath} class="inline filter">
        <label>
          From <input type="date" name="from" value={filter.from} />
        </label>
        <label>
          To <input type="date" name="to" value={filter.to ?? ''} />
        </label>
        <label>
          Status{' '}
          <select name="status">
            {Object.entries(statusChoices).map(([value, { label }]) => (
              <option key={value} value={value} selected={value === filter.status}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <button class="quiet small">Show</button>
      </form>
      <div id="live" data-key="bookings">
        {bookings.length === 0 ? (
          <p class="muted">{isUpcoming ? 'Nothing is booked from today on.' : 'No bookings.'}</p>
        ) : (
          <Rows bookings={bookings} now={now} />
        )}
        {(page > 1 || more) && (
          <nav class="days-nav" aria-label="Pages">
            {page > 1 && (
              <a class="button quiet small" href={linkToPage(filter, page - 1)}>
                Earlier
              </a>
            )}
            {more && (
              <a class="button quiet small" href={linkToPage(filter, page + 1)}>
                Later
              </a>
            )}
          </nav>
        )}
      </div>
    </>
  );
}

function linkToPage({ from, to, status }: ListFilter, page: number): string {
  const query = new URLSearchParams({ from, ...(to !== undefined && { to }), status });
  if (page > 1) query.set('page', String(page));
  return `${bookingsPath}?${query.toString()}`;
}

export interface SearchPageProps {
  found: ListPage<BookingRow>;
  /** What was searched for. */
  text: string;
  /** Milliseconds since the epoch. */
  now: number;
  today: string;
}

/** The bookings that a search has found. */
export function SearchPage(props: SearchPageProps): VNode {
  const { found, text, now, today } = props;
  const { rows: bookings, more } = found;
  return (
    <>
      <Tools text={text} date={today} />
      <p role="status">
        {bookings.length === 0
          ? 'Nothing was found.'
          : `${more ? 'The first ' : ''}${bookings.length} found, the sessions to come first.`}{' '}
        <a href={bookingsPath}>All upcoming bookings</a>
      </p>
      {bookings.length > 0 && <Rows bookings={bookings} now={now} />}
    </>
  );
}

/** `date`: the one that a booking is added on. */
function Tools({ text, date }: { text: string; date: string }): VNode {
  return (
    <div class="tools">
      <PostForm action={bookingsPath} class="inline">
        <label for="text" class="visually-hidden">
          Name, e-mail, phone or id
        </label>
        <input
          id="text"
          type="search"
          name="text"
          value={text}
          placeholder="Name, e-mail, phone or id"
          autocomplete="off"
        />
        <button class="quiet small">Search</button>
      </PostForm>
      <a class="button small" href={linkToAdd({ date })}>
        Add a booking
      </a>
    </div>
  );
}

function Rows({ bookings, now }: { bookings: readonly BookingRow[]; now: number }): VNode {
  return (
    <ol class="booking-rows">
      {bookings.map((booking) => {
        const status = statusAt(booking, now);
        return (
          <li key={booking.id} class={status}>
            <span class="date">
              {shortDate(booking.date)}, <Hours of={sessionOf(booking)} />
            </span>
            <a class="client" href={linkToBooking(booking.id)}>
              <bdi>{personName(booking)}</bdi>
            </a>
            <span class="state">{statusText(booking, status)}</span>
            <span class="phone">
              {booking.phone !== null && <PhoneLink phone={booking.phone} />}
            </span>
            <span class="muted">{channelWords(booking)}</span>
          </li>
        );
      })}
    </ol>
  );
}
