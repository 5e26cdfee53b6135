import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../errors.js';

/** Lets the router know every method that Node reads: to it, what it does not know is at no address. */
export function knowAllMethods(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
}

/**
 * Remembers which methods every address has; call the result after the last route, and the others
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
      // A part of the app that has refused them already.
      if (others.length === 0) continue;
      const allow = [...seen].sort().join(', ');
      app.route({
        method: others,
        url: url.slice(app.prefix.length),
        exposeHeadRoute: false,
        // Before the body is read: its type and size do not matter to a method that is not there.
        onRequest: (_request, reply, done) => {
          reply.header('allow', allow);
          done(new ServiceError('method_not_allowed'));
        },
        handler: () => undefined,
      });
    }
  };
}
