import type { DatabaseServices } from '../database/services.js';
import { countOverdueHolds } from '../repositories/booking-transitions.js';
import { readEventBacklog } from '../repositories/events.js';
import { countOverdueDeliveries } from '../repositories/webhook-admin.js';

export interface Backlog {
  undispatched: number;
  /** The age of the oldest undispatched event; 0 without one. */
  oldestSeconds: number;
  /** Pending holds that lapsed at least a minute ago. */
  overdueHolds: number;
  /** Webhook deliveries that have been due for at least a minute. */
  overdueDeliveries: number;
}

/** Counts the work that workers should have done by now. */
export async function readBacklog({
  database,
}: Pick<DatabaseServices, 'database'>): Promise<Backlog> {
  const [events, overdueHolds, overdueDeliveries] = await Promise.all([
    readEventBacklog(database),
    countOverdueHolds(database),
    countOverdueDeliveries(database),
  ]);
  return {
    undispatched: events.count,
    oldestSeconds: events.oldestAgeSeconds,
    overdueHolds,
    overdueDeliveries,
  };
}
