import { ServiceError } from '../errors.js';
import type { Metrics, ShedCause } from './metrics/metrics.js';

const retryAfterSeconds = { least: 1, most: 3 };

/**
 * The answer to a request that finds a queue full: 503, at once. Those who are turned away together
 * are told to return at different moments.
 */
export function shedRequest(metrics: Metrics, cause: ShedCause): ServiceError {
  metrics.requestShed(cause);
  const { least, most } = retryAfterSeconds;
  return new ServiceError('service_unavailable', {
    retryAfterSeconds: least + Math.floor(Math.random() * (most - least + 1)),
  });
}
