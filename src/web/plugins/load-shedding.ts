import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import type { PlatformServices } from '../../platform/services.js';
import { shedRequest } from '../../platform/shed.js';

const sampleIntervalMs = 500;
const resolutionMs = 10;

/**
 * Sheds load: while the event loop lags, new requests get 503 at once. @fastify/under-pressure is not
 * used because its timer also reads memory usage; that throws when file descriptors run out, and
 * sampling then stops for good.
 */
export function registerLoadShedding(
  app: FastifyInstance,
  { config, metrics }: Pick<PlatformServices, 'config' | 'metrics'>,
): void {
  if (config.maxEventLoopDelayMs === 0) return;
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let delayMs = 0;
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
    const isLagging = delayMs > config.maxEventLoopDelayMs;
    if (isLagging && request.routeOptions.config.neverShed !== true) {
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
