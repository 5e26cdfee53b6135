import { Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { ListedClientRow } from '../../database/rows/results.js';
import type { BookingRow, BookingStatus } from '../../database/rows/schema.js';
import type { DomainServices } from '../../domain/deps.js';
import { findBookingsOf, listBookings } from '../../domain/studio/booking-record.js';
import { findClients } from '../../domain/studio/clients.js';
import type { ListPage } from '../../domain/studio/lists.js';
import { countsOfClient } from '../../domain/studio/words.js';
import { type Artist, namedArtists } from '../../schedule/artists.js';
import { statusAt, todayInZone } from '../../schedule/slots.js';
import { calendarDate, choice, form, type PageScope, query, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { findBySlug } from '../artist-choice.js';
import { bookingsPath, clientsPath, linkToAdd, linkToBooking, pathWith } from '../links.js';
import { PageContext } from '../moment.js';
import { PageLinks, rowsPerPage } from '../paging.js';
import { linkToFound, openSearch, SearchForm } from '../search.js';
import { BookingLine, ClientLines } from './lines.js';
import { channelWords, statusText } from './words.js';

const statusChoices = {
  live: { label: 'held and confirmed', statuses: ['pending', 'confirmed'] },
  pending: { label: 'held', statuses: ['pending'] },
  confirmed: { label: 'confirmed', statuses: ['confirmed'] },
  cancelled: { label: 'cancelled', statuses: ['cancelled'] },
  expired: { label: 'lapsed', statuses: ['expired'] },
  all: { label: 'all', statuses: ['pending', 'confirmed', 'cancelled', 'expired'] },
} as const satisfies Record<string, { label: string; statuses: readonly BookingStatus[] }>;

type StatusChoice = keyof typeof statusChoices;

interface ListFilter {
  from: string;
  to: string | undefined;
  status: StatusChoice;
  /** Null: of everybody. */
  artist: Artist | null;
}

interface BookingListPageProps {
  found: ListPage<BookingRow>;
  filter: ListFilter;
  /** Empty where the studio has one. */
  artists: readonly Artist[];
  page: number;
  today: string;
}

/** Bookings by date. */
function BookingListPage(props: BookingListPageProps): VNode {
  const { found, filter, artists, page, today } = props;
  const { rows: bookings, more } = found;
  const isUpcoming =
    filter.from === today &&
    filter.to === undefined &&
    filter.status === 'live' &&
    filter.artist === null;
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
        {artists.length > 0 && (
          <label>
            Artist{' '}
            <select name="artist">
              <option value="">everybody</option>
              {artists.map(({ slug, name }) => (
                <option key={slug} value={slug} selected={slug === filter.artist?.slug}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <button class="quiet small">Show</button>
      </form>
      <div id="live" data-key="bookings">
        {bookings.length === 0 ? (
          <p class="muted">{isUpcoming ? 'Nothing is booked from today on.' : 'No bookings.'}</p>
        ) : (
          <Rows bookings={bookings} />
        )}
        <PageLinks
          links={[
            page > 1 && ['Earlier', linkToPage(filter, page - 1)],
            more && ['Later', linkToPage(filter, page + 1)],
          ]}
        />
      </div>
    </>
  );
}

function linkToPage({ from, to, status, artist }: ListFilter, page: number): string {
  const filter = { from, to, status, artist: artist?.slug };
  return pathWith(bookingsPath, { ...filter, page: page > 1 ? String(page) : null });
}

const clientsShown = 5;

interface SearchPageProps {
  found: ListPage<BookingRow>;
  /** The first who are found. */
  clients: ListPage<ListedClientRow>;
  text: string;
  today: string;
}

/** The bookings that a search has found. */
function SearchPage(props: SearchPageProps): VNode {
  const { found, clients, text, today } = props;
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
      {clients.rows.length > 0 && (
        <section aria-labelledby="clients">
          <h2 id="clients">Clients</h2>
          <ClientLines clients={clients.rows} wordsOf={countsOfClient} />
          {clients.more && (
            <p class="muted">
              There are more. <a href={clientsPath}>Search clients only</a>
            </p>
          )}
        </section>
      )}
      {bookings.length > 0 && <Rows bookings={bookings} />}
    </>
  );
}

/** Tools of a list. `date`: the default for a new booking. */
function Tools({ text, date }: { text: string; date: string }): VNode {
  return (
    <div class="tools">
      <SearchForm action={bookingsPath} label="Name, e-mail, phone or id" text={text} />
      <a class="button small" href={linkToAdd({ date })}>
        Add a booking
      </a>
    </div>
  );
}

function Rows({ bookings }: { bookings: readonly BookingRow[] }): VNode {
  const { now } = useContext(PageContext);
  return (
    <ol class="booking-rows">
      {bookings.map((booking) => {
        const status = statusAt(booking, now);
        return (
          <BookingLine
            key={booking.id}
            {...{ booking, href: linkToBooking(booking.id), class: status }}
            {...{ state: statusText(booking, status), more: channelWords(booking) }}
          />
        );
      })}
    </ol>
  );
}

const listed = query({
  from: calendarDate,
  to: calendarDate,
  status: choice(...(Object.keys(statusChoices) as StatusChoice[])),
  artist: text,
  page: Type.Integer({ minimum: 1, maximum: 1_000 }),
  search: text,
});

const searchSchema = form({ text });

/** `/console/bookings`: bookings by date, or found by a search, with their clients. */
export function registerBookingLists(scope: PageScope, context: DomainServices): void {
  scope.get(bookingsPath, { schema: listed }, async (request, reply) => {
    const { from, to, status = 'live', page = 1, search } = request.query;
    const own = request.consoleArtist;
    const state = await context.board.read();
    const today = todayInZone(state.calendar.timezone, context.clock.now());
    const show = (children: VNode) =>
      reply.showPage({ section: 'bookings', title: 'Bookings', children });
    const wanted = openSearch(context, search);
    if (wanted !== null) {
      const [found, clients] = await Promise.all([
        findBookingsOf(context, wanted, { limit: rowsPerPage, artistId: own?.id }),
        findClients(context, wanted, { limit: clientsShown, artistId: own?.id }),
      ]);
      return show(<SearchPage {...{ found, clients, today }} text={wanted} />);
    }
    const artist = own ?? findBySlug(state, request.query.artist);
    const filter = { from: from ?? today, to, status, artist };
    const { statuses } = statusChoices[status];
    const found = await listBookings(
      context,
      { from: filter.from, to, statuses, artistId: artist?.id },
      { limit: rowsPerPage, offset: (page - 1) * rowsPerPage },
    );
    const artists = own === null ? namedArtists(state) : [];
    return show(<BookingListPage {...{ found, filter, page, today, artists }} />);
  });

  scope.post(bookingsPath, { schema: searchSchema }, ({ body }, reply) =>
    seeOther(reply, linkToFound(context, bookingsPath, body.text)),
  );
}
