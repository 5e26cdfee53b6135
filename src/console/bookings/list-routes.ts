import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findBookingsOf, listBookings } from '../../domain/booking-record.js';
import type { DomainServices } from '../../domain/deps.js';
import { todayInZone } from '../../schedule/slots.js';
import { calendarDate, choice, form, type PageScope, query, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { bookingsPath } from '../links.js';
import type { ShowPage } from '../pages.js';
import { pathWith } from '../paging.js';
import { BookingListPage, SearchPage, statusChoices, type StatusChoice } from './list-page.js';

const rowsPerPage = 50;

const listed = query({
  from: calendarDate,
  to: calendarDate,
  status: choice(...(Object.keys(statusChoices) as StatusChoice[])),
  page: Type.Integer({ minimum: 1, maximum: 1_000 }),
  search: text,
});

const searchSchema = form({ text });
const maxSearchLength = 254;

/** What the words of a search are sealed for, so that an address does not say them. */
const searchPurpose = 'console search';

/**
 * `/console/bookings`: bookings by date, or what a search has found. The words of a search are personal
 * data: they are posted, and its address has them sealed, so that one can go back to it.
 */
export function registerBookingLists(
  scope: PageScope,
  context: DomainServices,
  showPage: ShowPage,
): void {
  scope.get(bookingsPath, { schema: listed }, async (request, reply) => {
    const { from, to, status = 'live', page = 1, search } = request.query;
    const wanted = search === undefined ? null : openSearch(search);
    if (wanted !== null) return showFound(request, reply, wanted);
    const now = context.clock.now();
    const today = await readToday();
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
    const sealed = context.keyring.encrypt(wanted, searchPurpose).toString('base64url');
    return seeOther(reply, pathWith(bookingsPath, { search: sealed }));
  });

  async function readToday(): Promise<string> {
    return todayInZone((await context.board.read()).calendar.timezone, context.clock.now());
  }

  /** The words of a search; null if another installation, or nobody, has sealed them. */
  function openSearch(sealed: string): string | null {
    try {
      return context.keyring.decrypt(Buffer.from(sealed, 'base64url'), searchPurpose);
    } catch {
      return null;
    }
  }

  async function showFound(
    request: FastifyRequest,
    reply: FastifyReply,
    wanted: string,
  ): Promise<FastifyReply> {
    const found =
      wanted === ''
        ? { rows: [], more: false }
        : await findBookingsOf(context, wanted, rowsPerPage);
    return showPage(request, reply, {
      section: 'bookings',
      title: 'Bookings',
      children: SearchPage({
        ...{ found, text: wanted },
        ...{ now: context.clock.now(), today: await readToday() },
      }),
    });
  }
}
