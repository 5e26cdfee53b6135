import type { DatabaseServices } from '../database/services.js';
import { countOverdueHolds } from '../repositories/booking-transitions.js';
import { readEventBacklog } from '../repositories/events.js';
import { countOverdueDeliveries } from '../repositories/webhook-admin.js';

export interface Backlog {
  undispatched: number;
  /** Age of the oldest event that no dispatcher has taken; 0 where none waits. */
  oldestSeconds: number;
  /** Holds that lapsed a minute ago or longer, which nothing has written down. */
  overdueHolds: number;
  /** Webhook deliveries that were due a minute ago or longer. */
  overdueDeliveries: number;
}

/** What workers should have done by now. */
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
