import type { AccessServices } from '../access/services.js';
import type { DatabaseServices } from '../database/services.js';
import { ServiceError } from '../errors.js';
import type { NewHold } from '../repositories/bookings.js';
import { findCallersAtCap, type CallersAtCap } from '../repositories/live-bookings.js';
import { longestSessionHours } from '../calendar/session-end.js';

const retryAfterSeconds = 3600;
const reportEveryMs = 86_400_000;

/**
 * The refusal at a cap of live bookings. It is the same for a person's e-mail, a person's phone and
 * a caller, so that nobody learns of another's bookings.
 */
export function tooManyLiveBookings(): ServiceError {
  return new ServiceError('rate_limited', {
    message:
      'Nothing was held: this person or this caller has as many live bookings as are allowed at once (limits in GET /api/public/capabilities). Try again after retry_after_seconds, or once one of them is cancelled, has expired or is over.',
    retryAfterSeconds,
  });
}

/**
 * Warns the operator, once a day for each caller, that a caller is at its cap: it may be a platform
 * that serves many people. Counted where budgets are, so that processes that share Redis warn once.
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

/** The callers that are at their cap now. */
export async function readCallersAtCap({
  config,
  database,
}: Pick<DatabaseServices, 'config' | 'database'>): Promise<CallersAtCap> {
  return findCallersAtCap(database, config.maxLiveBookingsPerCaller, longestSessionHours);
}
