import type { FastifyInstance } from 'fastify';
import createRouter from 'find-my-way';
import { ServiceError } from '../../errors.js';

/**
 * Makes a method that a URL does not have answer 405 with `Allow` (RFC 9110, 15.5.6) instead of Fastify's
 * 404, after all other hooks and before the body is parsed: its type and size do not matter here. Nor is
 * such a method served by a pattern: the router would take the end of `/webhooks/redeliver` as the id of
 * `/webhooks/:id`. Returns what to call after the last route.
 *
 * Not with a route for each of these methods: they would be 2,500, and a tenth of the time of a start.
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
    // Every URL is a route for GET here, whatever its methods are.
    const router = createRouter({ maxParamLength: Infinity });
    for (const [url, methods] of known) router.on('GET', url, () => undefined, methods);
    app.addHook('onRequest', (request, reply, done) => {
      if (request.routeOptions.url?.endsWith('*')) return done();
      const methods = router.find('GET', request.url)?.store as Set<string> | undefined;
      if (methods === undefined || methods.has(request.method)) return done();
      reply.header('allow', [...methods].sort().join(', '));
      done(new ServiceError('method_not_allowed'));
    });
  };
}
