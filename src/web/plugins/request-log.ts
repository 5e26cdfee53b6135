import type { FastifyInstance } from 'fastify';
import type { PlatformServices } from '../../platform/services.js';

/**
 * Logs and counts each request. Both name the route and not the URL: a URL may contain a checkout
 * token, and headers may contain keys.
 */
export function registerRequestLog(
  app: FastifyInstance,
  { metrics }: Pick<PlatformServices, 'metrics'>,
): void {
  app.addHook('onResponse', (request, reply, next) => {
    const { url: route = 'unknown', config } = request.routeOptions;
    const milliseconds = reply.elapsedTime;
    request.log.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        milliseconds: Math.round(milliseconds * 100) / 100,
      },
      'request',
    );
    const operation = config?.operationId ?? route;
    metrics.count('requests', { operation, status: reply.statusCode });
    metrics.observe('requestDuration', { operation }, milliseconds / 1000);
    next();
  });
}
