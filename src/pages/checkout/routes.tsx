import { type Static, Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import { freeArtistsIn } from '../../board/calendar-state.js';
import type { BookingRow } from '../../database/rows/schema.js';
import { bookedSlot } from '../../domain/booking/booked-slot.js';
import {
  type Checkout,
  confirmCheckout,
  findNewsMail,
  hasDetails,
  type PersonChange,
  releaseCheckout,
  type SessionElsewhere,
} from '../../domain/booking/checkout.js';
import type { CodeRefusal } from '../../domain/booking/codes.js';
import { personOfBooking, stateForPerson } from '../../domain/booking/person-sessions.js';
import { alternativesTo } from '../../domain/booking/slot-unavailable.js';
import type { DomainServices } from '../../domain/deps.js';
import { ServiceError } from '../../errors.js';
import { calendarFile, type CalendarSession } from '../../icalendar/calendar-file.js';
import { newAddressOn, studioOn } from '../../schedule/addresses.js';
import { slotOf } from '../../schedule/slots.js';
import { checkoutLink, checkoutPath } from '../../secrets/links.js';
import type { Assets } from '../../web/assets.js';
import {
  choice,
  count,
  form,
  type PageScope,
  query,
  type RequestWith,
  text,
  tokenInPath,
} from '../../web/forms.js';
import { languageOf } from '../../web/language.js';
import { refuseForeignPosts } from '../../web/origins.js';
import {
  acceptsPages,
  privatePageHeaders,
  seeOther,
  sendPrivatePage,
} from '../../web/send-page.js';
import { hasOtherSession, type Trouble } from '../not-open.js';
import { offeredField } from '../other-times.js';
import { CheckoutPage } from './checkout-page.js';
import { codeQuery } from './code-form.js';
import { CheckoutCodePage, isTyped } from './code-page.js';
import { holdSlotAgain } from './hold-again.js';
import { registerMoves } from './move-routes.js';
import { openCheckout, openPosted, refuseBrokenLinks, reportRefusal } from './open-checkout.js';
import { changeWithCode, prepareCode, refuseCode, requestCode } from './with-code.js';

const actionSchema = form({
  action: choice('send_code', 'confirm', 'release', 'cancel', 'hold_again'),
  /** Pages of versions before 2.2.0 send none. */
  sequence: Type.Optional(count),
  code: Type.Optional(text),
  /** The slot to hold instead of one that is gone. */
  slot: Type.Optional(text),
  ...offeredField,
});

/** The query of the page where a code is typed. */
const stepSchema = query({ step: choice('code') });

type CheckoutRequest = RequestWith<{ params: { token: string } }>;
type ShownRequest = CheckoutRequest & { query: Static<typeof stepSchema.querystring> };
type ActionRequest = RequestWith<{ body: Static<typeof actionSchema.body> }>;

/** The outcome of a form. */
interface Answer {
  /** Why a code was refused, or not sent. */
  refusal: CodeRefusal | null;
  /** Whether the form's page was out of date. */
  hasChanged: boolean;
  /** Why nothing is held. */
  trouble: string | null;
}

/** The checkout page, its form actions, its state for the countdown, and the calendar file. */
export function registerCheckout(app: PageScope, context: DomainServices, assets: Assets): void {
  const { publicBaseUrl } = context.config;

  app.get('/checkout/:token', { schema: { ...tokenInPath, ...stepSchema } }, (request, reply) => {
    return showPage(request, reply, 200);
  });

  /** The open page reads the server's time here, and whether the booking has changed. */
  app.get('/checkout/:token/state', { schema: tokenInPath }, async (request, reply) => {
    const { status, booking } = await open(request);
    const server_time = new Date(context.clock.now()).toISOString();
    return reply
      .headers(privatePageHeaders)
      .send({ data: { status, sequence: booking.sequence, server_time } });
  });

  app.get('/checkout/:token/calendar.ics', { schema: tokenInPath }, async (request, reply) => {
    const { booking, token } = await open(request);
    if (booking.confirmed_at === null) throw new ServiceError('not_found');
    const state = await context.board.read();
    const studio = studioOn(state, booking.date);
    const { openingHours } = state;
    const use = { method: null, checkoutUrl: checkoutLink(publicBaseUrl, token) } as const;
    return (
      reply
        .headers(privatePageHeaders)
        // Inline, so that phones open it in the calendar; a link may download it.
        .header('content-disposition', 'inline; filename="session.ics"')
        .type('text/calendar; charset=utf-8')
        .send(
          calendarFile(languageOf(request), {
            session: sessionOf(booking),
            studio,
            openingHours,
            use,
          }),
        )
    );
  });

  app.post(
    '/checkout/:token',
    {
      schema: { ...tokenInPath, ...stepSchema, ...actionSchema },
      onRequest: refuseForeignPosts(context),
    },
    async (request, reply) => {
      const checkout = await openPosted(context, request);
      if (hasChangedSinceShown(request, checkout) && acceptsPages(request)) {
        return showPage(request, reply, 409, { hasChanged: true });
      }
      const next = await act(request, reply, checkout);
      if (typeof next === 'string') return seeOther(reply, next);
      if ('text' in next) return showPage(request, reply, 409, { trouble: next.text });
      return showPage(request, reply, refuseCode(request, reply, next), { refusal: next });
    },
  );

  registerMoves(app, context, assets);

  refuseBrokenLinks(app, '/checkout');

  function open({ params }: CheckoutRequest): Promise<Checkout> {
    return openCheckout(context, params.token);
  }

  async function showPage(
    request: ShownRequest,
    reply: FastifyReply,
    status: number,
    { refusal = null, hasChanged = false, trouble = null }: Partial<Answer> = {},
  ): Promise<FastifyReply> {
    const checkout = await open(request);
    const state = await context.board.read();
    const { booking, hasStarted, token } = checkout;
    const codeStep = await prepareCode(context, { request, reply, checkout });
    const isGone = checkout.slotState !== null && checkout.slotState !== 'open';
    const now = context.clock.now();
    const slot = slotOf(booking);
    const others =
      isGone && hasDetails(booking)
        ? alternativesTo(await stateForPerson(context, state, personOfBooking(booking)), slot, now)
        : [];
    const props = {
      assets,
      checkout,
      studio: studioOn(state, booking.date),
      newAddress: newAddressOn(state, booking.date),
      path: checkoutPath(token),
      now,
      hasMail: state.mode.mail,
      mail: await findNewsMail(context, checkout),
      otherArtists: checkout.status === 'pending' ? freeArtistsIn(state, slot, now) : [],
      otherTimes: others.map((each) => bookedSlot(state, slotOf(each))),
      refusal,
      hasChanged,
      trouble,
    };
    const isCodePage = request.query.step === 'code' || refusal !== null;
    const page =
      isCodePage && !hasStarted && isTyped(codeStep) ? (
        <CheckoutCodePage {...props} codeStep={codeStep} />
      ) : (
        <CheckoutPage {...props} codeStep={codeStep} />
      );
    return sendPrivatePage(request, reply, status, page);
  }

  /** The path of the next page, or why a code was refused or nothing is held. */
  async function act(
    request: ActionRequest,
    reply: FastifyReply,
    checkout: Checkout,
  ): Promise<string | CodeRefusal | Pick<Trouble, 'text'>> {
    const { booking: opened } = checkout;
    const path = checkoutPath(checkout.token);
    // The booking as it was read with its link: a correction may void the link at this moment.
    const { action, sequence = opened.sequence } = request.body;
    const change = async (
      make: (current: Checkout, browser: string | null) => Promise<PersonChange | SessionElsewhere>,
    ) => {
      const changed = await changeWithCode(context, request, checkout, sequence, make);
      if (changed.outcome === 'refused') return changed.refusal;
      const { result } = changed;
      if (result === null || result === 'done') return path;
      reportRefusal(request, new ServiceError('slot_unavailable'));
      return hasOtherSession(
        languageOf(request),
        result.elsewhere,
        languageOf(request).t('checkout.no_change'),
      );
    };
    switch (action) {
      case 'send_code': {
        const sent = await requestCode(context, { request, reply, checkout });
        if (sent.outcome === 'sent') return `${path}?${codeQuery}`;
        return sent.outcome === 'not_needed' ? path : sent;
      }
      case 'confirm':
        return change((current, browser) => confirmCheckout(context, current, sequence, browser));
      case 'release':
        await releaseCheckout(context, checkout, 'pending', sequence);
        return path;
      case 'cancel':
        return change((current, browser) =>
          releaseCheckout(context, current, 'confirmed', sequence, browser),
        );
      case 'hold_again':
        return holdSlotAgain(context, request, reply, checkout, request.body);
    }
  }
}

/** The state in which each act finds its booking. */
const changedFrom: Partial<Record<ActionRequest['body']['action'], Checkout['status']>> = {
  confirm: 'pending',
  release: 'pending',
  cancel: 'confirmed',
};

/** Whether the act is still possible, but its page was out of date. */
function hasChangedSinceShown({ body }: ActionRequest, { booking, status }: Checkout): boolean {
  const { action, sequence = null } = body;
  return sequence !== null && sequence !== booking.sequence && changedFrom[action] === status;
}

/** The booking in the calendar file: as of its latest change. */
function sessionOf(booking: BookingRow): CalendarSession {
  const { id, sequence, status, timezone } = booking;
  const { created_at, confirmed_at, moved_at, cancelled_at, changed_at } = booking;
  const changes = [created_at, confirmed_at, moved_at, cancelled_at, changed_at];
  return {
    id,
    sequence,
    isCancelled: status === 'cancelled',
    artistName: booking.artist_name,
    startsAtText: booking.starts_at_text,
    endsAt: booking.ends_at.getTime(),
    timezone,
    changedAt: new Date(Math.max(...changes.map((at) => at?.getTime() ?? 0))),
  };
}
