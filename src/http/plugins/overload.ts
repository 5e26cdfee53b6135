import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.js';
import { turnAway } from '../../overload.js';

const sampleIntervalMs = 500;
const resolutionMs = 10;

/**
 * Keeps the process able to answer when more is asked than it can do: requests that arrive while its
 * event loop lags get 503 at once, until it has caught up. Not with @fastify/under-pressure: its timer
 * also reads the memory of the process, which fails where descriptors have run out, and samples
 * nothing any more after it has failed once.
 */
export function registerOverload(
  app: FastifyInstance,
  { config, metrics }: Pick<Context, 'config' | 'metrics'>,
): void {
  if (config.maxEventLoopDelayMs === 0) return;
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let delayMs = 0;
  const sampling = setInterval(() => {
    // NaN: the loop has not turned once.
    delayMs = Number.isNaN(histogram.mean) ? Infinity : histogram.mean / 1e6 - resolutionMs;
    histogram.reset();
  }, sampleIntervalMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(sampling);
    histogram.disable();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const isTooLate = delayMs > config.maxEventLoopDelayMs;
    if (isTooLate && request.routeOptions.config.answersUnderPressure !== true) {
      done(turnAway(metrics, 'event_loop'));
    } else {
      done();
    }
  });
}

/** For the config of a route that answers however busy the process is. */
export const evenUnderPressure = { answersUnderPressure: true };

declare module 'fastify' {
  interface FastifyContextConfig {
    answersUnderPressure?: boolean;
  }
}
