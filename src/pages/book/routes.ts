import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import type { Config } from '../../config.js';
import { slotState } from '../../calendar/calendar.js';
import { openTimesAround } from '../../calendar/open-times.js';
import { isSameSlot, slotOf } from '../../calendar/slots.js';
import { bookedSlot } from '../../domain/booked-slot.js';
import { releaseCheckout } from '../../domain/checkout.js';
import type { DomainServices } from '../../domain/deps.js';
import { formKey } from '../../domain/hold-request.js';
import { placeHoldOnce } from '../../domain/holds.js';
import { errors } from '../../errors.js';
import { chargeFailure } from '../../http/charge-failure.js';
import { logFailure, toServiceError } from '../../http/plugins/errors.js';
import type { Assets } from '../assets.js';
import { bookPath } from '../book-link.js';
import { formRefused, readSequence, readSlot, type Fields } from '../form-fields.js';
import { notOpen, type Trouble } from '../not-open.js';
import { refuseForeignPosts } from '../same-origin.js';
import {
  acceptsPages,
  privatePageHeaders,
  sendFramablePage,
  sendPrivatePage,
} from '../send-page.js';
import type { EmailUse } from './fields.js';
import { FormPage, type FormRefusal } from './form-page.js';
import {
  emptyForm,
  findMistakes,
  holdRequestOf,
  readHoldForm,
  type HoldForm,
  type Mistakes,
} from './hold-form.js';
import { findOwnHold, forgetHold, rememberHold, type OwnHold } from './own-hold.js';
import { formRefusal, ownAlready } from './refusals.js';
import { TimesPage } from './times-page.js';

interface BookRoute {
  Querystring: Fields;
  Body: Fields | undefined;
}

/** `/book`: a person chooses a time, fills in the form, and goes on to the checkout page. */
export function registerBook(app: FastifyInstance, context: DomainServices, assets: Assets): void {
  const { board, clock, config, keyring } = context;
  const { publicBaseUrl, holdLifetimeSeconds } = config;
  const emailUse = emailUseOf(config);

  app.get<BookRoute>('/book', async (request, reply) => {
    const { query } = request;
    const ownHold = await findOwnHold(context, request);
    const isChosen = query['date'] !== undefined || query['time_slot'] !== undefined;
    if (!isChosen) {
      const { from } = query;
      return showTimes(request, reply, 200, typeof from === 'string' ? from : undefined, ownHold);
    }
    const slot = readSlot(query);
    if (slot === null) return showTimes(request, reply, 400, undefined, ownHold, notUnderstood);
    // After a hold, going back leads to the open times, with the time that is held above them.
    if (ownHold !== null && isSameSlot(slotOf(ownHold.checkout.booking), slot)) {
      return showTimes(request, reply, 200, slot.date, ownHold);
    }
    const { calendar, taken } = await board.read();
    const state = slotState(calendar, taken, slot, clock.now());
    if (state !== 'open') {
      const trouble = notOpen(slot, state, 'Please choose another one.');
      return showTimes(request, reply, 409, slot.date, ownHold, trouble);
    }
    return showForm(request, reply, 200, emptyForm(slot), ownHold);
  });

  app.post<BookRoute>(
    '/book',
    { onRequest: refuseForeignPosts(publicBaseUrl) },
    async (request, reply) => {
      const fields = request.body ?? {};
      const { action } = fields;
      if (action === 'release') {
        const sequence = readSequence(fields['sequence']);
        const ownHold = await findOwnHold(context, request);
        if (ownHold !== null) await letGo(ownHold, sequence);
        // A hold that has moved meanwhile is still there, and shown.
        if ((await findOwnHold(context, request)) === null) forgetHold(reply, publicBaseUrl);
        return reply.headers(privatePageHeaders).redirect('/book', 303);
      }
      if (action !== 'hold' && action !== 'replace') throw formRefused();
      return hold(request, reply, readHoldForm(fields), action === 'replace');
    },
  );

  /** `isReplacing`: a hold that this browser has of the slot is given up for the new one. */
  async function hold(
    request: FastifyRequest,
    reply: FastifyReply,
    form: HoldForm,
    isReplacing: boolean,
  ): Promise<FastifyReply> {
    const holdRequest = holdRequestOf(form);
    const mistakes = findMistakes(holdRequest);
    if (Object.keys(mistakes).length > 0) {
      return showForm(request, reply, 400, form, await ownHoldIfKnown(request), { mistakes });
    }
    try {
      const key = formKey(keyring, form.nonce, holdRequest);
      const giveUp = isReplacing ? () => giveUpSlot(request, form) : undefined;
      const placed = await placeHoldOnce(context, request.caller, holdRequest, key, giveUp);
      rememberHold(reply, publicBaseUrl, placed, clock.now());
      // Redirect after POST: going back or reloading repeats nothing.
      return await reply
        .headers(privatePageHeaders)
        .redirect(`/checkout/${placed.checkoutToken}`, 303);
    } catch (error) {
      return refuse(request, reply, form, error as Error);
    }
  }

  async function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    form: HoldForm,
    error: Error,
  ): Promise<FastifyReply> {
    const failure = toServiceError(error);
    if (!acceptsPages(request)) throw failure;
    const charged = await chargeFailure(request.caller, failure);
    logFailure(request.log, charged);
    if (charged.retryAfterSeconds !== undefined) {
      reply.header('retry-after', charged.retryAfterSeconds);
    }
    const { calendar, taken } = await board.read();
    const ownHold = await ownHoldIfKnown(request);
    const isOwn = charged.code === 'slot_unavailable' && ownHold !== null && isOf(ownHold, form);
    const refusal = isOwn
      ? ownAlready
      : formRefusal(charged, form.slot, slotState(calendar, taken, form.slot, clock.now()));
    return showForm(request, reply, errors[charged.code].status, form, ownHold, { refusal });
  }

  async function giveUpSlot(request: FastifyRequest, form: HoldForm): Promise<void> {
    const ownHold = await findOwnHold(context, request);
    if (ownHold === null || !isOf(ownHold, form)) return;
    await letGo(ownHold, ownHold.checkout.booking.sequence);
  }

  async function letGo({ token }: OwnHold, sequence: number | null): Promise<void> {
    await releaseCheckout(context, token, 'pending', sequence);
  }

  /** Null also without a database: what was typed is shown all the same. */
  async function ownHoldIfKnown(request: FastifyRequest): Promise<OwnHold | null> {
    try {
      return await findOwnHold(context, request);
    } catch {
      return null;
    }
  }

  async function showTimes(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    date: string | undefined,
    ownHold: OwnHold | null,
    trouble: Trouble | null = null,
  ): Promise<FastifyReply> {
    const state = await board.read();
    const openTimes = openTimesAround(state, date, clock.now());
    const { studio, openingHours } = state;
    const sharing = { studio, openingHours, publicBaseUrl, path: bookPath };
    const props = { assets, sharing, holdLifetimeSeconds, openTimes, ownHold, trouble };
    return show(request, reply, status, TimesPage(props));
  }

  async function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    form: HoldForm,
    ownHold: OwnHold | null,
    { mistakes = {}, refusal = null }: { mistakes?: Mistakes; refusal?: FormRefusal | null } = {},
  ): Promise<FastifyReply> {
    const { calendar, studio } = await board.read();
    const slot = bookedSlot(calendar.timezone, form.slot);
    const page = FormPage({
      assets,
      studio,
      slot,
      form,
      mistakes,
      refusal,
      ownHold,
      holdLifetimeSeconds,
      emailUse,
    });
    return show(request, reply, status, page);
  }

  function show(
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    page: VNode,
  ): Promise<FastifyReply> {
    // A form posts to the whole window.
    if (request.method === 'POST') return sendPrivatePage(request, reply, status, page);
    return sendFramablePage(request, reply, status, config, page);
  }
}

function isOf({ checkout }: OwnHold, { slot }: HoldForm): boolean {
  return isSameSlot(slotOf(checkout.booking), slot);
}

function emailUseOf({ mail, confirmation }: Config): EmailUse {
  if (mail === null) return 'none';
  return confirmation === 'code' ? 'code' : 'confirmation';
}

const notUnderstood: Trouble = {
  title: 'Choose a time',
  text: 'We did not understand which time you chose. Nothing is held.',
};
