import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { PlatformServices } from '../platform/services.js';
import type { PrometheusMetrics } from '../platform/metrics/prometheus.js';
import { errorsPlugin } from './plugins/errors.js';
import { registerHealth } from './plugins/health.js';

const requestTimeoutMs = 10_000;

/** The server on METRICS_PORT: `/metrics`, and the health checks of processes without other HTTP. */
export async function createMetricsServer(
  context: Pick<PlatformServices, 'log' | 'readiness'>,
  metrics: PrometheusMetrics,
): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: requestTimeoutMs,
  });
  await app.register(errorsPlugin);
  registerHealth(app, context);
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
  await app.ready();
  return app;
}
