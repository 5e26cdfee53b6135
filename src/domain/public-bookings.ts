import type { Kysely } from 'kysely';
import { createBatcher } from '../platform/batcher.js';
import type { Database, PublicBookingRow } from '../database/schema.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import { shedRequest } from '../platform/shed.js';
import { findPublicBookings } from '../repositories/bookings.js';

/** What anyone may see of a booking; null where there is none. */
export type PublicBookings = (id: string) => Promise<PublicBookingRow | null>;

/** All of them go into the next query, so that nobody waits for more than two. */
const longestQueue = 1_000;

/**
 * Reads bookings so that those who ask at one moment share one query. Behind a slow database the
 * queue is bounded: beyond it, whoever asks fails at once with `service_unavailable`.
 */
export function createPublicBookings(database: Kysely<Database>, metrics: Metrics): PublicBookings {
  const find = createBatcher((ids: string[]) => findPublicBookings(database, ids), longestQueue);
  let waiting = 0;
  return async (id) => {
    if (waiting >= longestQueue) throw shedRequest(metrics, 'database_pool');
    waiting += 1;
    try {
      return await find(id);
    } finally {
      waiting -= 1;
    }
  };
}
