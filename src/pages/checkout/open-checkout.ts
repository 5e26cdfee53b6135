import type { FastifyReply, FastifyRequest } from 'fastify';
import { codeLifetimeSeconds, codeOpensSeconds } from '../../config/limits.js';
import {
  type Checkout,
  type CheckoutServices,
  findCheckout,
  keepLanguage,
} from '../../domain/booking/checkout.js';
import type { DomainServices } from '../../domain/deps.js';
import { ServiceError } from '../../errors.js';
import { createCheckoutToken, isCheckoutToken } from '../../secrets/tokens.js';
import { readCookie, setCookie } from '../../web/cookies.js';
import { type PageScope, type RequestWith, tokenInPath } from '../../web/forms.js';
import { languageOf } from '../../web/language.js';
import { logFailure } from '../../web/plugins/errors.js';
import { acceptsPages } from '../../web/send-page.js';

/** The booking of a checkout link. Throws `not_found`. */
export async function openCheckout(context: CheckoutServices, token: string): Promise<Checkout> {
  const checkout = await findCheckout(context, token);
  if (checkout === null) throw linkUnknown();
  return checkout;
}

/** The booking of a link whose page was posted; it keeps the language of the page. Throws `not_found`. */
export async function openPosted(
  context: DomainServices,
  request: RequestWith<{ params: { token: string } }>,
): Promise<Checkout> {
  const checkout = await openCheckout(context, request.params.token);
  await keepLanguage(context, checkout, context.languages.chosenTag(languageOf(request)));
  return checkout;
}

export function linkUnknown(): ServiceError {
  return new ServiceError('not_found', {
    message: 'This link is not known. Check that it was copied whole.',
  });
}

/** Answers links that were cut, or that continue after their token, as unknown ones. */
export function refuseBrokenLinks(app: PageScope, path: string): void {
  const refuse = () => {
    throw linkUnknown();
  };
  for (const url of [path, `${path}/`]) app.get(url, refuse);
  app.get(`${path}/:token/*`, { schema: tokenInPath }, refuse);
}

/** Logs a refusal that the page explains; throws it to a client that shows no pages. */
export function reportRefusal(request: FastifyRequest, refused: ServiceError): void {
  if (!acceptsPages(request)) throw refused;
  logFailure(request.log, refused);
}

const cookie = { name: 'browser', path: '/checkout' };

/** The time after which even a code that was typed at the last moment opens nothing. */
const maxAgeSeconds = codeLifetimeSeconds + codeOpensSeconds;

/** The secret that a browser's codes belong to; null before it could ask for one. */
export function readBrowser(request: FastifyRequest): string | null {
  const value = readCookie(request, cookie.name);
  return value !== null && isCheckoutToken(value) ? value : null;
}

/**
 * Gives the browser its secret, or more time for it. The page with the button does, so that pressing
 * twice is asking twice in one browser.
 */
export function keepBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  publicBaseUrl: string,
): string {
  const value = readBrowser(request) ?? createCheckoutToken();
  setCookie(reply, publicBaseUrl, { ...cookie, value, maxAgeSeconds });
  return value;
}
