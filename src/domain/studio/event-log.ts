import type { EventRow } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { countOverdueHolds } from '../../repositories/booking-transitions.js';
import { listEventsAfter, listNewestEvents, readEventBacklog } from '../../repositories/events.js';
import { countOverdueDeliveries } from '../../repositories/webhook-admin.js';

/** The positions below the newest that may still appear: commits are not in the order of positions. */
const reorderWindow = 1_000;

/**
 * Reads each event once, in the order of positions: the first call returns the newest `limit`
 * events, each further call those committed since.
 */
export function followEvents(
  { database }: Pick<DatabaseServices, 'database'>,
  limit: number,
): () => Promise<EventRow[]> {
  let newest: number | null = null;
  let seen = new Set<string>();
  return async () => {
    const isFirst = newest === null;
    const rows =
      newest === null
        ? await listNewestEvents(database, Math.max(limit, reorderWindow))
        : await listEventsAfter(database, newest - reorderWindow);
    const fresh = rows.filter(({ id }) => !seen.has(id));
    seen = new Set(rows.map(({ id }) => id));
    newest = Math.max(newest ?? 0, ...rows.map(({ position }) => Number(position)));
    return isFirst ? fresh.slice(Math.max(0, fresh.length - limit)) : fresh;
  };
}

/** Counts the work that workers should have done by now. */
export async function readBacklog({ database }: Pick<DatabaseServices, 'database'>) {
  const [events, overdueHolds, overdueDeliveries] = await Promise.all([
    readEventBacklog(database),
    countOverdueHolds(database),
    countOverdueDeliveries(database),
  ]);
  return {
    undispatched: events.count,
    /** The age of the oldest undispatched event; 0 without one. */
    oldestSeconds: events.oldestAgeSeconds,
    /** Pending holds that lapsed at least a minute ago. */
    overdueHolds,
    /** Webhook deliveries that have been due for at least a minute. */
    overdueDeliveries,
  };
}
