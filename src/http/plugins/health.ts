import type { FastifyInstance } from 'fastify';
import type { DatabaseServices } from '../../database/services.js';
import { checkReadiness } from '../../domain/readiness.js';
import { ServiceError } from '../../errors.js';
import { singleFlight } from '../../platform/single-flight.js';
import { evenUnderPressure } from './overload.js';

/**
 * `/healthz`: the process lives. `/readyz`: it wants requests, that is, its database answers and it
 * does not stop. While it stops, every answer ends its connection, so that the next request of
 * whoever keeps connections goes to another process.
 */
export function registerHealth(
  app: FastifyInstance,
  context: Pick<DatabaseServices, 'database' | 'readiness'>,
): void {
  const { readiness } = context;
  // No budget limits probes, so any number of them costs the database one query at a time.
  const ready = singleFlight(() => checkReadiness(context));
  app.addHook('onRequest', (_request, reply, done) => {
    if (!readiness.isOpen()) reply.header('connection', 'close');
    done();
  });
  app.get('/healthz', { config: evenUnderPressure }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ data: { status: 'alive' } }),
  );
  app.get('/readyz', { config: evenUnderPressure }, async (_request, reply) => {
    readiness.noteQuestion();
    if (!readiness.isOpen())
      throw new ServiceError('service_unavailable', { retryAfterSeconds: 1 });
    await ready();
    return reply.header('cache-control', 'no-store').send({ data: { status: 'ready' } });
  });
}
