import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.js';
import {
  findCheckout,
  findOwnCheckouts,
  type Checkout,
  type CheckoutServices,
} from '../domain/booking/checkout.js';
import type { HoldServices, PlacedHold } from '../domain/booking/holds.js';
import { isSameSlot, slotOf, type Slot } from '../schedule/slots.js';
import { bookPath } from '../web/book-link.js';
import { readCookie, setCookie } from '../web/cookies.js';

const cookie = { name: 'hold', path: bookPath };

/** The cookies of forms, one each, so that forms that are opened at once do not overwrite each other's. */
const formCookiePattern = /^form-[0-9a-f]{8}$/;
const maxForms = 5;
/** The lifetime of a form before its hold. */
const formMaxAgeSeconds = 24 * 3_600;

/**
 * A live hold that this browser has placed, even if the answer to its form was lost: the `wanted` one (of
 * a slot, or by its id), else the newest. For a slot, also a confirmed session there. Null if there is
 * none.
 */
export async function findOwnHold(
  context: CheckoutServices & Pick<HoldServices, 'keyring'>,
  request: FastifyRequest,
  wanted: Slot | string | null = null,
): Promise<Checkout | null> {
  const nonces = formCookiesOf(request).map(([, nonce]) => nonce);
  const token = readCookie(request, cookie.name);
  const slot = typeof wanted === 'string' ? null : wanted;
  const holds = await findOwnCheckouts(context, token, nonces.slice(-maxForms), slot);
  const isWanted = (hold: Checkout): boolean =>
    typeof wanted === 'string' ? hold.booking.id === wanted : isOfSlot(hold, wanted);
  return holds.find(isWanted) ?? holds[0] ?? null;
}

export function isOfSlot({ booking }: Checkout, slot: Slot | null): boolean {
  return slot !== null && isSameSlot(slotOf(booking), slot);
}

/** The name and the nonce of each, in the order in which they were set (RFC 6265, 5.4). */
function formCookiesOf({ cookies }: FastifyRequest): [name: string, nonce: string][] {
  return Object.entries(cookies).flatMap(([name, nonce]) =>
    formCookiePattern.test(name) && nonce !== undefined ? [[name, nonce]] : [],
  );
}

/**
 * Remembers the hold in the browser until it lapses. One that is no longer live, of a form that is sent
 * again, does not replace it.
 */
export async function rememberHold(
  context: CheckoutServices,
  reply: FastifyReply,
  { booking, checkoutToken, replayed }: PlacedHold,
): Promise<void> {
  if (replayed && (await findCheckout(context, checkoutToken))?.status !== 'pending') return;
  keepHold(context, reply, checkoutToken, booking.expires_at);
}

/** Remembers the hold that a page shows, where it was found by its form. */
export function rememberOwnHold(
  context: Pick<CheckoutServices, 'clock' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  ownHold: Checkout | null,
): void {
  if (ownHold?.status !== 'pending' || readCookie(request, cookie.name) === ownHold.token) return;
  if (!isWholeWindow(request, context.config)) return;
  keepHold(context, reply, ownHold.token, ownHold.booking.expires_at);
}

function keepHold(
  { clock, config }: Pick<CheckoutServices, 'clock' | 'config'>,
  reply: FastifyReply,
  token: string,
  expiresAt: Date,
): void {
  const maxAgeSeconds = Math.floor((expiresAt.getTime() - clock.now()) / 1000);
  setCookie(reply, config.publicBaseUrl, { ...cookie, value: token, maxAgeSeconds });
}

export function forgetHold(reply: FastifyReply, publicBaseUrl: string): void {
  setCookie(reply, publicBaseUrl, { ...cookie, value: '', maxAgeSeconds: 0 });
}

/** Forgets every hold of the browser, also those that its forms find. */
export function forgetHolds(
  { config }: Pick<CheckoutServices, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  forgetHold(reply, config.publicBaseUrl);
  for (const [name] of formCookiesOf(request)) {
    setCookie(reply, config.publicBaseUrl, { name, value: '', path: bookPath, maxAgeSeconds: 0 });
  }
}

/** Remembers the nonces of the last five forms, by which the browser finds their holds. */
export function rememberForm(
  { config }: Pick<CheckoutServices, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  nonce: string,
): void {
  const known = formCookiesOf(request);
  if (!isWholeWindow(request, config) || known.some(([, each]) => each === nonce)) return;
  const set = (name: string, value: string, maxAgeSeconds: number) =>
    setCookie(reply, config.publicBaseUrl, { name, value, path: bookPath, maxAgeSeconds });
  for (const [name] of known.slice(0, 1 - maxForms)) set(name, '', 0);
  set(`form-${nonce.slice(0, 8)}`, nonce, formMaxAgeSeconds);
}

/**
 * Whether the page is in no frame, where nothing is remembered. Browsers before 2023, and http, do not
 * say.
 */
function isWholeWindow({ headers }: FastifyRequest, { embedOrigins }: Config): boolean {
  const destination = headers['sec-fetch-dest'];
  return destination === undefined ? embedOrigins.length === 0 : destination === 'document';
}
