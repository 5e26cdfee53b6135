import type { FastifyInstance } from 'fastify';
import { findBookingsOf, listBookings } from '../../domain/booking-record.js';
import type { DomainServices } from '../../domain/deps.js';
import { isCalendarDate } from '../../schedule/dates.js';
import { todayInZone } from '../../schedule/slots.js';
import { readText, type Fields } from '../../web/form-fields.js';
import { bookingsPath } from '../links.js';
import type { ShowPage } from '../pages.js';
import { BookingListPage, SearchPage, statusChoices, type StatusChoice } from './list-page.js';

interface ListRoute {
  Querystring: Fields;
  Body: Fields | undefined;
}

const rowsPerPage = 50;
const maxPage = 1_000;
const maxSearchLength = 254;

/** `/console/bookings`: bookings by date; a search is posted, since it has personal data in it. */
export function registerBookingLists(
  scope: FastifyInstance,
  context: DomainServices,
  showPage: ShowPage,
): void {
  scope.get<ListRoute>(bookingsPath, async (request, reply) => {
    const { query } = request;
    const now = context.clock.now();
    const today = todayInZone((await context.board.read()).calendar.timezone, now);
    const filter = {
      from: readDate(query['from']) ?? today,
      to: readDate(query['to']),
      status: readStatus(query['status']),
    };
    const page = readPage(query['page']);
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

  scope.post<ListRoute>(bookingsPath, async (request, reply) => {
    const text = readText(request.body?.['text']).slice(0, maxSearchLength);
    const found =
      text === '' ? { rows: [], more: false } : await findBookingsOf(context, text, rowsPerPage);
    return showPage(request, reply, {
      section: 'bookings',
      title: 'Bookings',
      children: SearchPage({ found, text, now: context.clock.now() }),
    });
  });
}

function readDate(field: unknown): string | undefined {
  return typeof field === 'string' && isCalendarDate(field) ? field : undefined;
}

function readStatus(field: unknown): StatusChoice {
  return typeof field === 'string' && Object.hasOwn(statusChoices, field)
    ? (field as StatusChoice)
    : 'live';
}

function readPage(field: unknown): number {
  const page = typeof field === 'string' && /^\d{1,4}$/.test(field) ? Number(field) : 1;
  return Math.min(Math.max(page, 1), maxPage);
}
