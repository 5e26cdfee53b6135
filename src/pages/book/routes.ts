import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { releaseCheckout } from '../../domain/checkout.js';
import type { DomainServices } from '../../domain/deps.js';
import { slotUnavailable } from '../../domain/slot-unavailable.js';
import { slotState } from '../../schedule/calendar.js';
import { isCalendarDate } from '../../schedule/dates.js';
import { isSameSlot, slotOf } from '../../schedule/slots.js';
import type { Assets } from '../../web/assets.js';
import { bookPath } from '../../web/book-link.js';
import { formRefused, readSequence, readSlot, type Fields } from '../../web/form-fields.js';
import { refuseForeignPosts } from '../../web/origins.js';
import { acceptsPages, seeOther } from '../../web/send-page.js';
import { notOpen, type Trouble } from '../not-open.js';
import { findOwnHold, forgetHold } from '../own-hold.js';
import { emptyForm, readHoldForm } from './hold-form.js';
import { createHoldPlacer } from './place-hold.js';
import { createBookPages } from './show-pages.js';

interface BookRoute {
  Querystring: Fields;
  Body: Fields | undefined;
}

/** `/book`: a person chooses a time, fills in the form, and goes on to the checkout page. */
export function registerBook(app: FastifyInstance, context: DomainServices, assets: Assets): void {
  const { board, clock, config } = context;
  const pages = createBookPages(context, assets);
  const placeHold = createHoldPlacer(context, pages);

  app.get<BookRoute>(bookPath, { config: { isFramable: true } }, async (request, reply) => {
    const { query } = request;
    const ownHold = await findOwnHold(context, request);
    const isChosen = query['date'] !== undefined || query['time_slot'] !== undefined;
    if (!isChosen) {
      return pages.showTimes(request, reply, 200, { date: readDate(query['from']), ownHold });
    }
    const slot = readSlot(query);
    if (slot === null) {
      if (!acceptsPages(request)) throw formRefused();
      return pages.showTimes(request, reply, 400, { ownHold, trouble: notUnderstood });
    }
    const { date } = slot;
    // After a hold, going back leads to the open times, with the time that is held above them.
    if (ownHold !== null && isSameSlot(slotOf(ownHold.checkout.booking), slot)) {
      return pages.showTimes(request, reply, 200, { date, ownHold });
    }
    const state = await board.read();
    const reason = slotState(state.calendar, state.taken, slot, clock.now());
    if (reason === 'open') {
      return pages.showForm(request, reply, 200, { form: emptyForm(slot), ownHold });
    }
    if (!acceptsPages(request)) throw slotUnavailable(context, state, slot, reason);
    const trouble = notOpen(slot, reason, 'Please choose another one.');
    return pages.showTimes(request, reply, 409, { date, ownHold, trouble });
  });

  // Website builders like to add a slash.
  app.get(`${bookPath}/`, (_request, reply) => reply.redirect(bookPath, 301));

  app.post<BookRoute>(
    bookPath,
    { onRequest: refuseForeignPosts(context) },
    async (request, reply) => {
      const fields = request.body ?? {};
      switch (fields['action']) {
        case 'hold':
          return placeHold(request, reply, readHoldForm(fields), { isReplacing: false });
        case 'replace':
          return placeHold(request, reply, readHoldForm(fields), { isReplacing: true });
        case 'release':
          return letGo(request, reply, fields);
        default:
          throw formRefused();
      }
    },
  );

  /** Releases the hold that the form names, as the page showed it, if it is this browser's. */
  async function letGo(
    request: FastifyRequest,
    reply: FastifyReply,
    fields: Fields,
  ): Promise<FastifyReply> {
    const sequence = readSequence(fields['sequence']);
    const ownHold = await findOwnHold(context, request);
    // Another tab may have placed another hold since the page was shown.
    if (ownHold !== null && ownHold.checkout.booking.id === fields['hold']) {
      await releaseCheckout(context, ownHold.token, 'pending', sequence);
    }
    // A hold that has moved meanwhile is still there, and shown.
    if ((await findOwnHold(context, request)) === null) forgetHold(reply, config.publicBaseUrl);
    return seeOther(reply, bookPath);
  }
}

function readDate(text: unknown): string | undefined {
  return typeof text === 'string' && isCalendarDate(text) ? text : undefined;
}

const notUnderstood: Trouble = {
  title: 'Choose a time',
  text: 'We did not understand which time you chose. Nothing is held.',
};
