import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findCheckout, type Checkout, type CheckoutServices } from '../../domain/checkout.js';
import type { PlacedHold } from '../../domain/holds.js';

const name = 'hold';
const path = '/book';

/** The live hold that this browser has placed here. */
export interface OwnHold {
  checkout: Checkout;
  token: string;
}

/** Null if this browser has placed none here, or it is not pending any more. */
export async function findOwnHold(
  context: CheckoutServices,
  { headers }: FastifyRequest,
): Promise<OwnHold | null> {
  const token = parseCookie(headers.cookie ?? '')[name];
  if (token === undefined) return null;
  const checkout = await findCheckout(context, token);
  return checkout?.status === 'pending' ? { checkout, token } : null;
}

/** Remembers the hold in the browser until it lapses. `now`: milliseconds since the epoch. */
export function rememberHold(
  reply: FastifyReply,
  publicBaseUrl: string,
  { booking, checkoutToken }: PlacedHold,
  now: number,
): void {
  const maxAge = Math.floor((booking.expires_at.getTime() - now) / 1000);
  // A form that is sent again after its hold has lapsed leads to that hold's page.
  if (maxAge <= 0) return;
  const cookie = stringifySetCookie(name, checkoutToken, {
    path,
    maxAge,
    httpOnly: true,
    sameSite: 'lax',
    secure: publicBaseUrl.startsWith('https:'),
  });
  reply.header('set-cookie', cookie);
}

export function forgetHold(reply: FastifyReply): void {
  reply.header('set-cookie', stringifySetCookie(name, '', { path, maxAge: 0 }));
}
