import { ServiceError } from '../../errors.js';
import { createTally } from '../../platform/keyed-counter.js';

/** Counts who is there, in all and per address. */
export interface Places {
  /** Takes a place; the result gives it back. Throws `rate_limited` or `service_unavailable`. */
  take(address: string): () => void;
}

const retryAfterAddressLimitSeconds = 30;
const retryAfterProcessLimitSeconds = { from: 5, to: 30 };

export function createPlaces(limits: { maxStreams: number; maxStreamsPerAddress: number }): Places {
  const perAddress = createTally();
  let total = 0;
  return {
    take(address) {
      const here = perAddress.countOf(address);
      if (here >= limits.maxStreamsPerAddress) {
        throw new ServiceError('rate_limited', {
          message: `Your address has ${here} streams open, and may have no more. Close one, or try again after retry_after_seconds.`,
          retryAfterSeconds: retryAfterAddressLimitSeconds,
        });
      }
      if (total >= limits.maxStreams) {
        // Those who are turned away do not return together.
        const { from, to } = retryAfterProcessLimitSeconds;
        const retryAfterSeconds = from + Math.floor(Math.random() * (to - from + 1));
        throw new ServiceError('service_unavailable', { retryAfterSeconds });
      }
      const leave = perAddress.add(address);
      total += 1;
      let taken = true;
      return () => {
        if (!taken) return;
        taken = false;
        total -= 1;
        leave();
      };
    },
  };
}
