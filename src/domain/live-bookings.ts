import type { AccessServices } from '../access/services.js';
import { ServiceError } from '../errors.js';
import type { NewHold } from '../repositories/holds.js';

const retryAfterSeconds = 3600;
const reportEveryMs = 86_400_000;

/**
 * The error at a cap of live bookings. It is the same for the caps by e-mail, phone and caller, so
 * that it reveals nothing about other people's bookings.
 */
export function tooManyLiveBookings(): ServiceError {
  return new ServiceError('rate_limited', {
    message:
      'Nothing was held: this person or this caller has as many live bookings as are allowed at once (limits in GET /api/public/capabilities). Try again after retry_after_seconds, or once one of them is cancelled, has expired or is over.',
    retryAfterSeconds,
  });
}

/**
 * Warns the operator, once a day per caller, that a caller has reached its cap: it may be a platform
 * that serves many people. Counted in the limit store, so that processes with one Redis warn once.
 */
export function reportCallerAtCap(
  { limitStore, log }: Pick<AccessServices, 'limitStore' | 'log'>,
  { callerNetworkHashes: [hash] }: Pick<NewHold, 'callerNetworkHashes'>,
  cap: number,
): void {
  limitStore.incr(
    `at cap ${hash?.toString('base64')}`,
    (_error, usage) => {
      if (usage?.current !== 1) return;
      log.warn(
        { max_live_bookings_per_caller: cap },
        'a caller has as many live bookings as one may place within 24 hours, and is refused more; "studio doctor" counts such callers',
      );
    },
    reportEveryMs,
    1,
  );
}
