import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../errors.js';

/** Registers every method that Node parses: the router answers 404 to unknown methods. */
export function knowAllMethods(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
}

/**
 * Collects the methods of each URL. Call the result after the last route: it makes all other methods
 * answer 405 with `Allow` (RFC 9110, 15.5.6) instead of Fastify's 404.
 */
export function collectMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const seen = known.get(url) ?? new Set();
    for (const each of [method].flat()) seen.add(each);
    known.set(url, seen);
  });
  return () => {
    for (const [url, seen] of [...known]) {
      if (url.endsWith('*')) continue;
      const others = METHODS.filter((method) => !seen.has(method));
      // A nested scope has added them already.
      if (others.length === 0) continue;
      const allow = [...seen].sort().join(', ');
      app.route({
        method: others,
        url: url.slice(app.prefix.length),
        exposeHeadRoute: false,
        // Before the body is parsed: its type and size do not matter here.
        onRequest: (_request, reply, done) => {
          reply.header('allow', allow);
          done(new ServiceError('method_not_allowed'));
        },
        handler: () => undefined,
      });
    }
  };
}
