import type { onRequestHookHandler } from 'fastify';
import { ServiceError } from '../errors.js';

const personOnly =
  'Only the person may do this, in their own browser, on the page of the booking link. Agents must not press its buttons: give the link to the person, who presses them.';

/**
 * Refuses a POST that comes from another site (`Origin`, `Sec-Fetch-Site`), carries an API key, or says
 * that an agent sends it (`Signature-Agent` of Web Bot Auth, which signs by RFC 9421), before its body
 * is read. Neither key nor signature is verified: a person's browser sends none. Browsers send
 * `Origin` with every form that they post.
 */
export function refuseForeignPosts(
  publicBaseUrl: string,
  message = personOnly,
): onRequestHookHandler {
  return (request, _reply, done) => {
    const { authorization, origin, 'sec-fetch-site': site } = request.headers;
    const isAgent = authorization !== undefined || 'signature-agent' in request.headers;
    const ownOrigin = origin === undefined ? site === 'same-origin' : origin === publicBaseUrl;
    const ownSite = site === undefined || site === 'same-origin';
    if (!isAgent && ownOrigin && ownSite) {
      done();
      return;
    }
    done(new ServiceError('forbidden', { message }));
  };
}
