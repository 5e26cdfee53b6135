import { Type } from '@sinclair/typebox';
import { findBookingsOf, listBookings } from '../../domain/booking-record.js';
import type { DomainServices } from '../../domain/deps.js';
import { todayInZone } from '../../schedule/slots.js';
import { calendarDate, choice, form, type PageScope, query, text } from '../../web/forms.js';
import { bookingsPath } from '../links.js';
import type { ShowPage } from '../pages.js';
import { BookingListPage, SearchPage, statusChoices, type StatusChoice } from './list-page.js';

const rowsPerPage = 50;

const listed = query({
  from: calendarDate,
  to: calendarDate,
  status: choice(...(Object.keys(statusChoices) as StatusChoice[])),
  page: Type.Integer({ minimum: 1, maximum: 1_000 }),
});

const searchSchema = form({ text });
const maxSearchLength = 254;

/** `/console/bookings`: bookings by date; a search is posted, since it has personal data in it. */
export function registerBookingLists(
  scope: PageScope,
  context: DomainServices,
  showPage: ShowPage,
): void {
  scope.get(bookingsPath, { schema: listed }, async (request, reply) => {
    const { from, to, status = 'live', page = 1 } = request.query;
    const now = context.clock.now();
    const today = todayInZone((await context.board.read()).calendar.timezone, now);
    const filter = { from: from ?? today, to, status };
    const found = await listBookings(
      context,
      { from: filter.from, to: filter.to, statuses: statusChoices[filter.status].statuses },
      { limit: rowsPerPage, offset: (page - 1) * rowsPerPage },
    );
    return showPage(request, reply, {
      section: 'bookings',
      title: 'Bookings',
      children: BookingListPage({ found, filter, page, now, today }),
    });
  });

  scope.post(bookingsPath, { schema: searchSchema }, async (request, reply) => {
    const wanted = request.body.text.trim().slice(0, maxSearchLength);
    const found =
      wanted === ''
        ? { rows: [], more: false }
        : await findBookingsOf(context, wanted, rowsPerPage);
    return showPage(request, reply, {
      section: 'bookings',
      title: 'Bookings',
      children: SearchPage({ found, text: wanted, now: context.clock.now() }),
    });
  });
}
