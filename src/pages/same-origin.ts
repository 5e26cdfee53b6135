import type { onRequestHookHandler } from 'fastify';
import { ServiceError } from '../errors.js';

/**
 * Refuses a POST that comes from another site (`Origin`, `Sec-Fetch-Site`) or carries an API key,
 * before its body is read. Browsers send `Origin` with every form that they post.
 */
export function refuseForeignPosts(publicBaseUrl: string): onRequestHookHandler {
  return (request, _reply, done) => {
    const { authorization, origin, 'sec-fetch-site': site } = request.headers;
    const ownOrigin = origin === undefined ? site === 'same-origin' : origin === publicBaseUrl;
    const ownSite = site === undefined || site === 'same-origin';
    if (authorization === undefined && ownOrigin && ownSite) {
      done();
      return;
    }
    done(
      new ServiceError('forbidden', {
        message:
          'Only the person may do this, on the page of the booking link. Agents must not confirm, move or cancel.',
      }),
    );
  };
}
