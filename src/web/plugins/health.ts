import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../errors.js';
import type { PlatformServices } from '../../platform/services.js';
import { neverShed } from './load-shedding.js';

/**
 * `/healthz`: the process is alive. `/readyz`: it accepts requests: the database answers, and the
 * process is not stopping. While it stops, every response closes its connection, so that keep-alive
 * clients reconnect to another process.
 */
export function registerHealth(
  app: FastifyInstance,
  { readiness }: Pick<PlatformServices, 'readiness'>,
): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (!readiness.isOpen()) reply.header('connection', 'close');
    done();
  });
  app.get('/healthz', { config: neverShed }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ data: { status: 'alive' } }),
  );
  app.get('/readyz', { config: neverShed }, async (_request, reply) => {
    readiness.recordProbe();
    if (!readiness.isOpen())
      throw new ServiceError('service_unavailable', { retryAfterSeconds: 1 });
    await readiness.check();
    return reply.header('cache-control', 'no-store').send({ data: { status: 'ready' } });
  });
}
