import { type Static, Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chosenArtist } from '../../board/availability.js';
import { stateOfArtist } from '../../board/calendar-state.js';
import { releaseCheckout } from '../../domain/booking/checkout.js';
import { slotUnavailable } from '../../domain/booking/slot-unavailable.js';
import type { DomainServices } from '../../domain/deps.js';
import { openFor } from '../../schedule/calendar.js';
import { isCalendarDate } from '../../schedule/dates.js';
import type { Assets } from '../../web/assets.js';
import { bookPath } from '../../web/book-link.js';
import {
  calendarDate,
  choice,
  count,
  formRefused,
  type PageScope,
  query,
  readSlot,
  slotFields,
  uuid,
} from '../../web/forms.js';
import { languageOf } from '../../web/language.js';
import { refuseForeignPosts } from '../../web/origins.js';
import { acceptsPages, seeOther } from '../../web/send-page.js';
import { artistTrouble, notOpen } from '../not-open.js';
import { findOwnHold, forgetHold, forgetHolds, isOfSlot } from '../own-hold.js';
import { emptyForm, holdSchema, readHoldForm } from './hold-form.js';
import { createHoldPlacer } from './place-hold.js';
import { createBookPages } from './show-pages.js';
import { readView, viewFields } from './view.js';

const chosenTime = query({ from: calendarDate, ...slotFields, ...viewFields });

/** The form that lets a hold go; `not_me`: the browser forgets what it holds, and lets nothing go. */
const releaseSchema = Type.Object({
  action: choice('release', 'not_me'),
  hold: uuid,
  sequence: Type.Optional(count),
});

const personOrApi =
  'Only the person may press this, in their own browser. Agents hold a time by POST /api/public/holds or the tool hold_slot, and give the person its link.';

/** `/book`: a person chooses a time and fills in the form; the checkout page follows. */
export function registerBook(app: PageScope, context: DomainServices, assets: Assets): void {
  const { board, clock, config } = context;
  const pages = createBookPages(context, assets);
  const placeHold = createHoldPlacer(context, pages);

  const shown = { schema: chosenTime, config: { isFramable: true } };
  app.get(bookPath, shown, async (request, reply) => {
    const { from, ...chosen } = request.query;
    const language = languageOf(request);
    const { t } = language;
    const whole = await board.read();
    const view = readView(chosen, whole);
    const slot = readSlot(chosen);
    const ownHold = await findOwnHold(context, request, slot);
    const lost = artistTrouble(language, whole, chosen.artist);
    if (lost !== null) {
      if (!acceptsPages(request)) chosenArtist(whole, String(chosen.artist));
      const trouble = { ...lost, text: `${lost.text} ${t('book.choose_artist')}` };
      const date = slot?.date ?? from;
      return pages.showTimes(request, reply, 400, { date, view, ownHold, trouble, isLost: true });
    }
    if (chosen.date === undefined && chosen.time_slot === undefined) {
      return pages.showTimes(request, reply, 200, { date: from, view, ownHold });
    }
    const { date: day } = chosen;
    if (chosen.time_slot === undefined && typeof day === 'string' && isCalendarDate(day)) {
      return pages.showTimes(request, reply, 200, { date: day, day, view, ownHold });
    }
    if (slot === null) {
      if (!acceptsPages(request)) throw formRefused();
      const trouble = { title: t('book.not_understood.title'), text: t('book.not_understood') };
      return pages.showTimes(request, reply, 400, { view, ownHold, trouble });
    }
    const { date } = slot;
    // After a hold, going back leads to the open times, with the held one above them.
    if (ownHold !== null && isOfSlot(ownHold, slot)) {
      return pages.showTimes(request, reply, 200, { date, view, ownHold });
    }
    const state = stateOfArtist(whole, view.artist?.id ?? null);
    const reason = openFor(state, slot, null, clock.now());
    if (reason === 'open') {
      return pages.showForm(request, reply, 200, {
        form: emptyForm(slot, view.artist),
        view,
        ownHold,
      });
    }
    if (!acceptsPages(request)) throw slotUnavailable(context, state, slot, reason);
    const wanted = { ...slot, artistName: view.artist?.name };
    const trouble = notOpen(language, wanted, reason, t('book.choose_other_time'));
    return pages.showTimes(request, reply, 409, { date, view, ownHold, trouble });
  });

  // Website builders tend to add a slash.
  app.get(`${bookPath}/`, (_request, reply) => reply.redirect(bookPath, 301));

  app.post(
    bookPath,
    {
      schema: { body: Type.Union([holdSchema, releaseSchema]) },
      onRequest: refuseForeignPosts(context, personOrApi),
    },
    async (request, reply) => {
      const { body } = request;
      if ('hold' in body)
        return body.action === 'release' ? letGo(request, reply, body) : forget(request, reply);
      const form = readHoldForm(languageOf(request), body, await board.read());
      return placeHold(request, reply, form, {
        isReplacing: body.action === 'replace',
      });
    },
  );

  async function forget(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    forgetHolds(context, request, reply);
    return seeOther(reply, bookPath);
  }

  /** Releases the hold that the form names, as the page showed it, if it is this browser's. */
  async function letGo(
    request: FastifyRequest,
    reply: FastifyReply,
    { hold, sequence }: Static<typeof releaseSchema>,
  ): Promise<FastifyReply> {
    const ownHold = await findOwnHold(context, request, hold);
    if (ownHold?.booking.id === hold) {
      await releaseCheckout(context, ownHold, 'pending', sequence ?? null);
    }
    // A hold that has moved meanwhile still exists, and is shown.
    if ((await findOwnHold(context, request)) === null) forgetHold(reply, config.publicBaseUrl);
    return seeOther(reply, bookPath);
  }
}
