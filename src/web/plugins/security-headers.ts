import type { FastifyInstance } from 'fastify';

/** The strictest headers, as helmet sets them, without those for obsolete browsers; pages override some. */
const strictest = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const yearSeconds = 31_536_000;

/** Adds security headers to every response. `secure`: the public base URL is https. */
export function registerSecurityHeaders(
  app: FastifyInstance,
  { secure }: { secure: boolean },
): void {
  const headers = {
    ...strictest,
    ...(secure && { 'strict-transport-security': `max-age=${yearSeconds}` }),
  };
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}
