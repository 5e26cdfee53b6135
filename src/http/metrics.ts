import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import type { HttpServices } from './handler.js';

/** Registers the gauges of the HTTP server. */
export function registerHttpMetrics(
  { metrics, liveStream }: Pick<HttpServices, 'metrics' | 'liveStream'>,
  app: FastifyInstance,
): void {
  metrics.addGauge({
    name: 'booking_viewers',
    help: 'Viewers of the live stream of this process.',
    read: () => [{ value: liveStream.viewerCount() }],
  });
  const countConnections = promisify(app.server.getConnections.bind(app.server));
  metrics.addGauge({
    name: 'booking_http_connections',
    help: 'Open connections of clients, streams among them.',
    read: async () => [{ value: await countConnections() }],
  });
}
