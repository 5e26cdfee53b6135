import { ServiceError } from '../../errors.js';
import { createKeyedCounter } from '../../platform/concurrency.js';

/** Limits the open streams of this process, in total and per address. */
export interface StreamLimits {
  /** Returns a function that releases the place. Throws `rate_limited` or `service_unavailable`. */
  acquire(address: string): () => void;
}

const retryAfterAddressLimitSeconds = 30;
/** Random in this range, so that refused clients do not return together. */
const retryAfterProcessLimitSeconds = { from: 5, to: 30 };

export function createStreamLimits(limits: {
  maxStreams: number;
  maxStreamsPerAddress: number;
}): StreamLimits {
  const open = createKeyedCounter();
  return {
    acquire(address) {
      if (open.get(address) >= limits.maxStreamsPerAddress) {
        throw new ServiceError('rate_limited', {
          message: `Your address has ${open.get(address)} streams open, and may have no more. Close one, or try again after retry_after_seconds.`,
          retryAfterSeconds: retryAfterAddressLimitSeconds,
        });
      }
      if (open.total() >= limits.maxStreams) {
        const { from, to } = retryAfterProcessLimitSeconds;
        const retryAfterSeconds = from + Math.floor(Math.random() * (to - from + 1));
        throw new ServiceError('service_unavailable', { retryAfterSeconds });
      }
      return open.increment(address);
    },
  };
}
