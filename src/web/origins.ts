import type { FastifyRequest } from 'fastify';
import { reportOriginMismatch } from '../access/warnings.js';
import { ownOrigins } from '../config/addresses.js';
import { ServiceError } from '../errors.js';
import { acceptsPages } from './send-page.js';

/** The path prefix of the public interface. */
export const publicPrefix = '/api/public';

/** Response headers that scripts of other origins may read. */
export const exposedHeaders = [
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Location',
  'Idempotency-Replayed',
  'Preference-Applied',
  'Deprecation',
  'Sunset',
  'ETag',
];

/** The headers of the public interface for browsers' scripts of every origin. */
export const openToEveryOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders.join(', '),
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * The CORS headers for an error response to a request for this URL. They cover errors raised before the
 * hooks of the public interface run: a shed request, or a path without a route.
 */
export function crossOriginHeaders(url: string): Record<string, string> {
  return url.startsWith(`${publicPrefix}/`) ? openToEveryOrigin : {};
}

const personOnly =
  'Only the person may do this, in their own browser, on the page of the booking link. Agents must not press its buttons: give the link to the person, who presses them.';

/** An origin of this form; no other is shown to the operator. */
const webOrigin = /^https?:\/\/[\w.:[\]-]{1,255}$/;

/**
 * Refuses a POST of another site (`Origin`, `Sec-Fetch-Site`), with an API key, or of an agent
 * (`Signature-Agent` of Web Bot Auth, which signs by RFC 9421), before its body is read. Neither key nor
 * signature is verified: a person's browser sends none. Browsers send `Origin` with every form; it is
 * `null` where a proxy sets the referrer policy `no-referrer`: then `Sec-Fetch-Site` decides, which no
 * script can set.
 */
export function refuseForeignPosts(
  services: Parameters<typeof reportOriginMismatch>[0],
  message = personOnly,
): (request: FastifyRequest) => Promise<void> {
  const origins = ownOrigins(services.config);
  return async (request) => {
    const { authorization, origin = 'null', 'sec-fetch-site': site } = request.headers;
    const isAgent = authorization !== undefined || 'signature-agent' in request.headers;
    const isOwnSite = site === undefined || site === 'same-origin';
    const isOwn = origins.includes(origin) || (origin === 'null' && site === 'same-origin');
    if (!isAgent && isOwnSite && isOwn) return;
    const isPage = acceptsPages(request) && webOrigin.test(origin);
    if (isAgent || !isOwnSite || !isPage) throw new ServiceError('forbidden', { message });
    await reportOriginMismatch(services, origin);
    throw new ServiceError('origin_mismatch');
  };
}
