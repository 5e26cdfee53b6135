import type { Context } from '../context.js';
import { expireDueHolds } from '../repositories/booking-transitions.js';

/**
 * Expires every hold that is due. A slot is free because its instant has passed and not because
 * this ran: this writes down that it happened.
 */
export async function expireHolds(context: Pick<Context, 'database'>): Promise<void> {
  while ((await expireDueHolds(context.database)) > 0);
}
