import type { DatabaseServices } from '../database/services.js';
import { recordAudit } from '../repositories/audit.js';
import {
  enableSubscription,
  redeliver,
  type DeliverySelection,
} from '../repositories/webhook-admin.js';
import { disableSubscription } from '../repositories/webhook-subscriptions.js';

/** Changes to webhooks that the studio makes, each with a row in the audit log. */

type AdminServices = Pick<DatabaseServices, 'database'>;

/** Disables a subscription; its pending deliveries fail. */
export async function disableByStudio(
  { database }: AdminServices,
  actor: string,
  id: string,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await disableSubscription(transaction, id, 'studio');
    await recordAudit(transaction, actor, 'webhooks disable', { subscription_id: id });
  });
}

/** Enables a disabled subscription for events from now on. False if it is not disabled or has no secret. */
export async function enableByStudio(
  { database }: AdminServices,
  actor: string,
  id: string,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const enabled = await enableSubscription(transaction, id);
    if (enabled) await recordAudit(transaction, actor, 'webhooks enable', { subscription_id: id });
    return enabled;
  });
}

export interface Redelivery {
  deliveries: number;
  subscriptionIds: string[];
}

/**
 * Makes deliveries of a live subscription, or of all (null), due again. The caller adds a job for
 * them, or else the sweeper does within half a minute.
 */
export async function redeliverByStudio(
  { database }: AdminServices,
  actor: string,
  subscriptionId: string | null,
  selection: DeliverySelection,
): Promise<Redelivery> {
  return database.transaction().execute(async (transaction) => {
    const owners = await redeliver(transaction, subscriptionId, selection);
    const subscriptionIds = [...new Set(owners)];
    if (owners.length > 0) {
      await recordAudit(transaction, actor, 'webhooks redeliver', {
        deliveries: owners.length,
        subscription_ids: subscriptionIds,
      });
    }
    return { deliveries: owners.length, subscriptionIds };
  });
}
