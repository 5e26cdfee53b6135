import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.js';
import { checkReadiness } from '../../domain/readiness.js';
import { ServiceError } from '../../errors.js';
import { evenUnderPressure } from './overload.js';

/** `/healthz`: the process lives. `/readyz`: it can serve, that is, its database answers. */
export function registerHealth(app: FastifyInstance, context: Pick<Context, 'database'>): void {
  let stopping = false;
  app.addHook('preClose', (done) => {
    stopping = true;
    done();
  });
  app.get('/healthz', { config: evenUnderPressure }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ data: { status: 'alive' } }),
  );
  app.get('/readyz', { config: evenUnderPressure }, async (_request, reply) => {
    if (stopping) throw new ServiceError('service_unavailable', { retryAfterSeconds: 1 });
    await checkReadiness(context);
    return reply.header('cache-control', 'no-store').send({ data: { status: 'ready' } });
  });
}
