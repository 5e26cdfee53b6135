import type { DatabaseServices } from '../database/services.js';
import { expireDueHolds } from '../repositories/booking-transitions.js';

/** Records the expiry of all lapsed holds. Their slots are free already, by `expires_at`. */
export async function expireHolds({
  database,
  metrics,
}: Pick<DatabaseServices, 'database' | 'metrics'>): Promise<void> {
  let lateness: number[];
  do {
    lateness = await expireDueHolds(database);
    metrics.holdsExpired(lateness);
  } while (lateness.length > 0);
}
