import { isIPv6 } from 'node:net';
import {
  fastify,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyListenOptions,
  LogController,
} from 'fastify';
import { ConfigError } from '../config/config.js';
import type { PrometheusMetrics } from '../platform/metrics/prometheus.js';
import type { PlatformServices } from '../platform/services.js';
import { errorsPlugin, throwNotFound } from './plugins/errors.js';
import { registerHealth } from './plugins/health.js';

/** Errors that the operator can fix, by error code. */
const reasons: Record<string, string> = {
  EADDRINUSE: 'another program uses the port. End it, or set another port.',
  EACCES: 'this user may not bind the port. Choose one of 1024 or above.',
  EADDRNOTAVAIL: 'this machine has no such address.',
  EAFNOSUPPORT: 'this machine has no addresses of that kind.',
  ENOTFOUND: 'the name has no address.',
  EAI_AGAIN: 'the name has no address.',
};

/**
 * Starts the server. Throws `ConfigError` with a message for the operator if the address is
 * unavailable; the message names `settings`, the environment variables that configure the address.
 */
export async function listen(
  app: FastifyInstance,
  { host, port, ...options }: FastifyListenOptions & { host: string; port: number },
  settings: string,
): Promise<void> {
  try {
    // For `localhost` Fastify opens a second server, to which no connection limit would apply.
    await app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port, ...options });
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw error;
    const address = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
    throw new ConfigError(`The service cannot listen on ${address} (${settings}): ${reason}`);
  }
}

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
  app.setNotFoundHandler(throwNotFound);
  registerHealth(app, context);
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
  await app.ready();
  return app;
}
