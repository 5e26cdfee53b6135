import type { FastifyReply, FastifyRequest } from 'fastify';
import { findCheckout, type Checkout, type CheckoutServices } from '../domain/checkout.js';
import type { PlacedHold } from '../domain/holds.js';
import { bookPath } from '../web/book-link.js';
import { readCookie, setCookie } from '../web/cookies.js';

const cookie = { name: 'hold', path: bookPath };

/** The live hold that this browser has placed. Null if there is none, or it is not pending any more. */
export async function findOwnHold(
  context: CheckoutServices,
  request: FastifyRequest,
): Promise<Checkout | null> {
  const token = readCookie(request, cookie.name);
  if (token === null) return null;
  const checkout = await findCheckout(context, token);
  return checkout?.status === 'pending' ? checkout : null;
}

/**
 * Remembers the hold in the browser until it lapses. One that is no longer live, of a form that is sent
 * again, does not replace what the browser remembers.
 */
export async function rememberHold(
  context: CheckoutServices,
  reply: FastifyReply,
  { booking, checkoutToken, replayed }: PlacedHold,
): Promise<void> {
  if (replayed && (await findCheckout(context, checkoutToken))?.status !== 'pending') return;
  const { clock, config } = context;
  const maxAgeSeconds = Math.floor((booking.expires_at.getTime() - clock.now()) / 1000);
  setCookie(reply, config.publicBaseUrl, { ...cookie, value: checkoutToken, maxAgeSeconds });
}

export function forgetHold(reply: FastifyReply, publicBaseUrl: string): void {
  setCookie(reply, publicBaseUrl, { ...cookie, value: '', maxAgeSeconds: 0 });
}
