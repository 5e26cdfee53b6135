import { sql } from 'kysely';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.js';
import { ServiceError } from '../../errors.js';

/** `/healthz`: the process lives. `/readyz`: it can serve, that is, its database answers. */
export function registerHealth(app: FastifyInstance, { database }: Pick<Context, 'database'>): void {
  let stopping = false;
  app.addHook('preClose', (done) => {
    stopping = true;
    done();
  });
  app.get('/healthz', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ data: { status: 'alive' } }),
  );
  app.get('/readyz', async (_request, reply) => {
    if (stopping) throw new ServiceError('service_unavailable', { retryAfterSeconds: 1 });
    await sql`select 1`.execute(database);
    return reply.header('cache-control', 'no-store').send({ data: { status: 'ready' } });
  });
}
