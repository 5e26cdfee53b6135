import { ServiceError } from '../errors.js';
import type { Metrics, ShedCause } from './metrics/metrics.js';

const retryAfterSeconds = { min: 1, max: 3 };

/** Counts a shed request and returns its 503, with a random Retry-After to spread the retries. */
export function shedRequest(metrics: Metrics, cause: ShedCause): ServiceError {
  metrics.count('shedRequests', { cause });
  const { min, max } = retryAfterSeconds;
  return new ServiceError('service_unavailable', {
    retryAfterSeconds: min + Math.floor(Math.random() * (max - min + 1)),
  });
}
