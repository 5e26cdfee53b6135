import type { FastifyInstance } from 'fastify';
import type { PlatformServices } from '../../platform/services.js';

/**
 * One line per request, and one count. They name the route and not the address: an address may
 * carry a checkout token, and headers may carry keys.
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
    metrics.requestAnswered(config?.operationId ?? route, reply.statusCode, milliseconds / 1000);
    next();
  });
}
