import type { FastifyInstance } from 'fastify';

/**
 * Warns once when a peer that TRUST_PROXY does not list sends X-Forwarded-For: if it is a proxy, all
 * callers behind it share one budget.
 */
export function warnOfUnlistedProxy(app: FastifyInstance): void {
  let warned = false;
  app.addHook('onRequest', (request, _reply, done) => {
    if (
      !warned &&
      request.headers['x-forwarded-for'] !== undefined &&
      request.ip === request.socket.remoteAddress
    ) {
      warned = true;
      request.log.warn(
        'X-Forwarded-For came from a peer that TRUST_PROXY does not list, and was not believed; if that is your proxy, list it, or all callers share one budget',
      );
    }
    done();
  });
}
