import type { FastifyInstance } from 'fastify';
import createRouter from 'find-my-way';
import { errors, ServiceError } from '../../errors.js';
import { changesAdvice } from '../../views/booking.js';

/**
 * Answers 405 with `Allow` (RFC 9110, 15.5.6) to methods that a URL lacks, also where a pattern would
 * match it: `GET /webhooks/redeliver` must not reach `/webhooks/:id`. It does so after all other hooks
 * and
 * before the body is parsed. Call the result after the last route. Routes for these methods would be
 * 2,500,
 * and a tenth of the time of a start.
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  /** The methods of each URL, as routes name it. */
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.endsWith('*')) return;
    const methods = known.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    known.set(url, methods);
  });
  return () => {
    // This router finds a URL's pattern only, so each is registered under GET.
    const router = createRouter({ maxParamLength: Infinity });
    for (const [url, methods] of known) router.on('GET', url, () => undefined, methods);
    app.addHook('onRequest', (request, reply, done) => {
      // A URL without a parameter has its own route; one that no route matches has no URL here.
      const { url } = request.routeOptions;
      if (url !== undefined && (!url.includes(':') || url.endsWith('*'))) return done();
      const methods = router.find('GET', request.url)?.store as Set<string> | undefined;
      if (methods === undefined || methods.has(request.method)) return done();
      reply.header('allow', [...methods].sort().join(', '));
      const { message } = errors.method_not_allowed;
      const isBooking = request.url.startsWith('/api/public/bookings/');
      const advice = isBooking ? { message: `${message} ${changesAdvice}` } : {};
      done(new ServiceError('method_not_allowed', advice));
    });
  };
}
