import type { DatabaseServices } from '../database/services.js';
import {
  forgetOldWebhooks,
  listDueSubscriptions,
  type WaitingSubscription,
} from '../repositories/webhook-deliveries.js';

const repairedAtOnce = 1_000;

/** What has ended is kept for so long, for whoever asks what became of it. */
const retentionDays = 30;

/** Subscriptions with something due at present: whether or not a job knows of it. */
export function dueSubscriptions({
  database,
}: Pick<DatabaseServices, 'database'>): Promise<WaitingSubscription[]> {
  return listDueSubscriptions(database, repairedAtOnce);
}

/** Forgets deliveries that ended and subscriptions that were disabled 30 days ago. */
export function tidyWebhooks({ database }: Pick<DatabaseServices, 'database'>): Promise<void> {
  return forgetOldWebhooks(database, retentionDays);
}
