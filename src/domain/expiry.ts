import type { DatabaseServices } from '../database/services.js';
import { expireDueHolds } from '../repositories/booking-transitions.js';
import { listPendingHolds } from '../repositories/bookings.js';

const pendingHoldsLimit = 10_000;

/**
 * Expires every hold that is due. A slot is free because its instant has passed and not because
 * this ran: this writes down that it happened.
 */
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

/** The holds whose alarm clocks must be set after a start, soonest first, up to ten thousand. */
export function pendingHolds(
  context: Pick<DatabaseServices, 'database'>,
): Promise<{ id: string; expires_at: Date }[]> {
  return listPendingHolds(context.database, pendingHoldsLimit);
}
