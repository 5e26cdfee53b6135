import type { WebhookSubscriptionRow } from '../../database/rows/webhooks.js';
import type { DatabaseServices } from '../../database/services.js';
import { recordAudit } from '../../repositories/audit.js';
import { announceDueDeliveries } from '../../repositories/due-mail.js';
import {
  enableSubscription,
  redeliver,
  type DeliverySelection,
} from '../../repositories/webhook-admin.js';
import { disableSubscription } from '../../repositories/webhook-subscriptions.js';

// Changes to webhook subscriptions by the studio's staff. Each one writes a row to the audit log.

type AdminServices = Pick<DatabaseServices, 'database'>;

/** Disables a subscription. Its pending deliveries fail. */
export async function disableWebhook(
  { database }: AdminServices,
  actor: string,
  id: string,
): Promise<'disabled' | 'already_disabled'> {
  return database.transaction().execute(async (transaction) => {
    if (!(await disableSubscription(transaction, id, 'studio'))) return 'already_disabled';
    await recordAudit(transaction, actor, 'webhooks disable', { subscription_id: id });
    return 'disabled';
  });
}

/** Enables a disabled subscription, for new events only. */
export async function enableWebhook(
  { database }: AdminServices,
  actor: string,
  { id, disabled_reason }: Pick<WebhookSubscriptionRow, 'id' | 'disabled_reason'>,
): Promise<'enabled' | 'not_disabled' | 'secret_lost'> {
  if (disabled_reason === 'secret_lost') return 'secret_lost';
  return database.transaction().execute(async (transaction) => {
    if (!(await enableSubscription(transaction, id))) return 'not_disabled';
    await recordAudit(transaction, actor, 'webhooks enable', { subscription_id: id });
    return 'enabled';
  });
}

/**
 * Makes the selected deliveries due: those of one live subscription, or of all (null). A running service
 * sends them at once.
 */
export async function redeliverWebhooks(
  { database }: AdminServices,
  actor: string,
  subscriptionId: string | null,
  selection: DeliverySelection,
) {
  return database.transaction().execute(async (transaction) => {
    const ofDeliveries = await redeliver(transaction, subscriptionId, selection);
    const [deliveries, subscriptionIds] = [ofDeliveries.length, [...new Set(ofDeliveries)]];
    if (deliveries > 0) {
      await announceDueDeliveries(transaction, subscriptionIds);
      const details = { deliveries, subscription_ids: subscriptionIds };
      await recordAudit(transaction, actor, 'webhooks redeliver', details);
    }
    return { deliveries, subscriptionIds };
  });
}
