import type { Kysely } from 'kysely';
import type { Database, PublicBookingRow } from '../database/schema.js';
import { createBatcher } from '../platform/concurrency.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import { shedRequest } from '../platform/shed.js';
import { findPublicBookings } from '../repositories/bookings.js';

/** Reads the public columns of a booking; null if it does not exist. */
export type PublicBookings = (id: string) => Promise<PublicBookingRow | null>;

/** Also the size of a batch: a read waits for two queries at most. */
const maxWaiting = 1_000;

/**
 * Concurrent reads share one query. Throws `service_unavailable` when too many reads wait for a slow
 * database.
 */
export function createPublicBookings(database: Kysely<Database>, metrics: Metrics): PublicBookings {
  const find = createBatcher((ids: string[]) => findPublicBookings(database, ids), maxWaiting);
  let waiting = 0;
  return async (id) => {
    if (waiting >= maxWaiting) throw shedRequest(metrics, 'database_pool');
    waiting += 1;
    try {
      return await find(id);
    } finally {
      waiting -= 1;
    }
  };
}
