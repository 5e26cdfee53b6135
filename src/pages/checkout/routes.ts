import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BookingRow } from '../../database/schema.js';
import type { DomainServices } from '../../domain/deps.js';
import { confirmCheckout, holdAgain, releaseCheckout } from '../../domain/checkout.js';
import { ServiceError } from '../../errors.js';
import type { Assets } from '../assets.js';
import { refuseForeignPosts } from '../same-origin.js';
import { privatePageHeaders, sendPrivatePage } from '../send-page.js';
import { calendarFile, type CalendarSession } from '../../calendar/calendar-file.js';
import { CheckoutPage } from './checkout-page.js';
import { registerMoves } from './move-routes.js';
import { readSequence } from './form-fields.js';
import { linkUnknown, openCheckout, type OpenCheckout } from './open-checkout.js';

interface CheckoutRoute {
  Params: { token: string };
  Body: { action?: string; sequence?: unknown };
}

/** The checkout page, its form actions, its state for the countdown, and the calendar file. */
export function registerCheckout(
  app: FastifyInstance,
  context: DomainServices,
  assets: Assets,
): void {
  const { publicBaseUrl } = context.config;

  app.get<CheckoutRoute>('/checkout/:token', async (request, reply) => {
    const { checkout, path } = await open(request);
    const { studio } = await context.board.read();
    const page = CheckoutPage({ assets, checkout, studio, path, now: context.clock.now() });
    return sendPrivatePage(request, reply, 200, page);
  });

  /** The open page reads the server's time here, and whether the booking has changed. */
  app.get<CheckoutRoute>('/checkout/:token/state', async (request, reply) => {
    const { checkout } = await open(request);
    const server_time = new Date(context.clock.now()).toISOString();
    const { status, booking } = checkout;
    return reply
      .headers(privatePageHeaders)
      .send({ data: { status, sequence: booking.sequence, server_time } });
  });

  app.get<CheckoutRoute>('/checkout/:token/calendar.ics', async (request, reply) => {
    const { checkout, path } = await open(request);
    const { booking } = checkout;
    if (booking.confirmed_at === null) throw new ServiceError('not_found');
    const { studio, openingHours } = await context.board.read();
    const use = { method: 'PUBLISH', checkoutUrl: `${publicBaseUrl}${path}` } as const;
    return reply
      .headers(privatePageHeaders)
      .header('content-disposition', 'attachment; filename="session.ics"')
      .type('text/calendar; charset=utf-8')
      .send(calendarFile({ session: sessionOf(booking), studio, openingHours, use }));
  });

  app.post<CheckoutRoute>(
    '/checkout/:token',
    { onRequest: refuseForeignPosts(publicBaseUrl) },
    async (request, reply) => {
      await open(request);
      const next = await act(request, request.params.token);
      // Redirect after POST: going back or reloading repeats nothing.
      return reply.headers(privatePageHeaders).redirect(`/checkout/${next}`, 303);
    },
  );

  registerMoves(app, context, assets);

  // Truncated or extended links get the same page as unknown ones.
  for (const url of ['/checkout', '/checkout/', '/checkout/:token/*']) {
    app.get(url, () => {
      throw linkUnknown();
    });
  }

  function open({ params }: FastifyRequest<CheckoutRoute>): Promise<OpenCheckout> {
    return openCheckout(context, params.token);
  }

  async function act(request: FastifyRequest<CheckoutRoute>, token: string): Promise<string> {
    // Pages of versions before 2.2.0 send no sequence.
    const sequence = readSequence(request.body?.sequence);
    switch (request.body?.action) {
      case 'confirm':
        await confirmCheckout(context, token, sequence);
        return token;
      case 'release':
        await releaseCheckout(context, token, 'pending', sequence);
        return token;
      case 'cancel':
        await releaseCheckout(context, token, 'confirmed', sequence);
        return token;
      case 'hold_again':
        return holdSlotAgain(request, token);
      default:
        throw new ServiceError('invalid_request', {
          message: 'This page has no such action. Open the link again.',
        });
    }
  }

  async function holdSlotAgain(request: FastifyRequest, token: string): Promise<string> {
    try {
      const placed = await holdAgain(context, request.caller, token);
      return placed?.checkoutToken ?? token;
    } catch (error) {
      // The page of the expired hold shows why its slot is no longer open.
      if (error instanceof ServiceError && error.code === 'slot_unavailable') return token;
      throw error;
    }
  }
}

/** The booking as the calendar file shows it: as it is since its latest change. */
function sessionOf(booking: BookingRow): CalendarSession {
  const { id, sequence, status, timezone, created_at, confirmed_at, moved_at, cancelled_at } =
    booking;
  const changes = [created_at, confirmed_at, moved_at, cancelled_at];
  return {
    id,
    sequence,
    isCancelled: status === 'cancelled',
    startsAt: booking.starts_at.getTime(),
    timezone,
    changedAt: new Date(Math.max(...changes.map((at) => at?.getTime() ?? 0))),
  };
}
