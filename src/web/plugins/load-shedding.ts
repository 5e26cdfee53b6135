import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import type { PlatformServices } from '../../platform/services.js';
import { shedRequest } from '../../platform/shed.js';

const sampleIntervalMs = 500;
const resolutionMs = 10;
/** The requests in one turn of the event loop from a few callers: a browser has six connections. */
const fewArrivals = 20;
/** The time that a crowded turn counts: while it is answered, later turns bring fewer requests. */
const crowdMs = 5_000;

/**
 * Sheds load: while the event loop lags and turns of it bring many requests, new ones get 503 at once
 * (src/decisions.md).
 */
export function registerLoadShedding(
  app: FastifyInstance,
  { config, metrics }: Pick<PlatformServices, 'config' | 'metrics'>,
): void {
  if (config.maxEventLoopDelayMs === 0) return;
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let delayMs = 0;
  let arrived = 0;
  let crowdedAt = -Infinity;
  const sampling = setInterval(() => {
    // The mean is NaN without samples: the loop was blocked for the whole interval.
    delayMs = Number.isNaN(histogram.mean) ? Infinity : histogram.mean / 1e6 - resolutionMs;
    histogram.reset();
  }, sampleIntervalMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(sampling);
    histogram.disable();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    // This runs when all requests of the turn are parsed.
    if (arrived === 0) setImmediate(() => (arrived = 0));
    arrived += 1;
    const now = performance.now();
    if (arrived > fewArrivals) crowdedAt = now;
    const isOverloaded = delayMs > config.maxEventLoopDelayMs && now - crowdedAt < crowdMs;
    if (isOverloaded && request.routeOptions.config.neverShed !== true) {
      done(shedRequest(metrics, 'event_loop'));
    } else {
      done();
    }
  });
}

/** The config of a route that is served even under overload. */
export const neverShed = { neverShed: true };

declare module 'fastify' {
  interface FastifyContextConfig {
    neverShed?: boolean;
  }
}
