import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.js';
import { turnAway } from '../../overload.js';

/** Viewers of the live stream, and as many others. Beyond it, a connection is closed at once. */
const maxConnections = 20_000;
const sampleIntervalMs = 500;

/**
 * Keeps the process able to answer when more is asked than it can do: what comes while its event
 * loop lags gets 503 at once, until it has caught up.
 */
export async function registerOverload(
  app: FastifyInstance,
  { config, metrics }: Pick<Context, 'config' | 'metrics'>,
): Promise<void> {
  app.server.maxConnections = maxConnections;
  app.server.on('drop', () => metrics.requestShed('connections'));
  await app.register(underPressure, {
    maxEventLoopDelay: config.maxEventLoopDelayMs,
    sampleInterval: sampleIntervalMs,
    // Async, so that what it throws becomes the answer.
    pressureHandler: async () => {
      throw turnAway(metrics, 'event_loop');
    },
  });
}

/** For the config of a route that answers however busy the process is. */
export const evenUnderPressure = { pressureHandler: () => undefined };
