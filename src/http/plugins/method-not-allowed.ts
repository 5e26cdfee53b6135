import type { FastifyInstance } from 'fastify';
import createRouter from 'find-my-way';
import { ServiceError } from '../../errors.js';

/**
 * Collects the methods of each URL. Call the result after the last route: it makes all other methods
 * answer 405 with `Allow` (RFC 9110, 15.5.6) instead of Fastify's 404, after all other hooks and before
 * the body is parsed: its type and size do not matter here.
 *
 * Not with routes for these methods: they would be 2,500, and a tenth of the time of a start.
 */
export function collectMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>();
  let router: ReturnType<typeof routerOf> | undefined;
  app.addHook('onRoute', ({ url, method }) => {
    const seen = known.get(url) ?? new Set();
    for (const each of [method].flat()) seen.add(each);
    known.set(url, seen);
  });
  return () => {
    app.addHook('onRequest', (request, reply, done) => {
      if (!request.is404) return done();
      router ??= routerOf(known);
      const found = router.find('GET', request.url);
      if (found === null) return done();
      reply.header('allow', found.store as string);
      done(new ServiceError('method_not_allowed'));
    });
  };
}

/** Finds the value of `Allow` by URL: every pattern is a route for GET, whatever its methods are. */
function routerOf(known: ReadonlyMap<string, ReadonlySet<string>>) {
  const router = createRouter({ maxParamLength: Infinity });
  for (const [url, methods] of known) {
    if (url.endsWith('*')) continue;
    router.on('GET', url, () => undefined, [...methods].sort().join(', '));
  }
  return router;
}
