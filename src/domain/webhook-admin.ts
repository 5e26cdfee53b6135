import type { DatabaseServices } from '../database/services.js';
import { recordAudit } from '../repositories/audit.js';
import {
  enableSubscription,
  listSubscriptions,
  loseSigningSecrets,
  redeliver,
  type DeliverySelection,
  type SubscriptionOverview,
} from '../repositories/webhook-admin.js';
import {
  disableSubscription,
  listRecentDeliveries,
  type RecentDelivery,
} from '../repositories/webhook-subscriptions.js';

/** What the studio does about webhooks. */

type AdminServices = Pick<DatabaseServices, 'database'>;

/** The newest first. */
export async function readSubscriptions(
  { database }: AdminServices,
  limit: number,
): Promise<SubscriptionOverview[]> {
  return listSubscriptions(database, { idPrefix: '', limit });
}

/** The subscriptions whose ids begin so; of several, two. */
export async function findSubscriptions(
  { database }: AdminServices,
  idPrefix: string,
): Promise<SubscriptionOverview[]> {
  return listSubscriptions(database, { idPrefix, limit: 2 });
}

/** Newest first. */
export async function readDeliveries(
  { database }: AdminServices,
  subscriptionId: string,
  limit: number,
): Promise<RecentDelivery[]> {
  return listRecentDeliveries(database, subscriptionId, limit);
}

/** Sends nothing to it any more; what waits has failed. */
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

/** Sends to it again what happens from now on. False where that cannot be. */
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
 * Makes deliveries of a subscription, or of all (null), due anew; only to those that live. Whoever
 * calls wakes the senders, or the sweeper does within half a minute.
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

/** After the secret key was lost: no delivery can be signed as its receiver expects. */
export async function giveUpSigningSecrets({ database }: AdminServices): Promise<void> {
  await database.transaction().execute(loseSigningSecrets);
}
