import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database, WebhookSubscriptionRow } from '../database/schema.js';

/** What the studio, rather than a subscriber or a sender, asks and does about webhooks. */

export interface SubscriptionOverview extends WebhookSubscriptionRow {
  /** Deliveries by their status. */
  pending: number;
  delivered: number;
  failed: number;
}

/** The newest first; of those whose ids begin so. The prefix holds hexadecimal digits and dashes. */
export async function listSubscriptions(
  database: Kysely<Database>,
  { idPrefix, limit }: { idPrefix: string; limit: number },
): Promise<SubscriptionOverview[]> {
  const { rows } = await sql<SubscriptionOverview>`
    select subscription.*, counted.* from webhook_subscriptions subscription,
      lateral (
        select count(*) filter (where status = 'pending')::integer as pending,
          count(*) filter (where status = 'delivered')::integer as delivered,
          count(*) filter (where status = 'failed')::integer as failed
        from webhook_deliveries where subscription_id = subscription.id
      ) as counted
    where id::text like ${`${idPrefix}%`}
    order by created_at desc limit ${limit}`.execute(database);
  return rows;
}

/**
 * Lets a subscription that was disabled live again, as if it had never failed. It counts as nobody's
 * towards the cap per address, since its subscriber's was forgotten. False where it is not disabled,
 * or cannot be signed for.
 */
export async function enableSubscription(
  transaction: Transaction<Database>,
  id: string,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('webhook_subscriptions')
    .set({
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
      caller_hash: Buffer.alloc(0),
    })
    .where('id', '=', id)
    .where('disabled_at', 'is not', null)
    .where('disabled_reason', '<>', 'secret_lost')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Which deliveries: those of one event, or those that failed since an instant. */
export type DeliverySelection = { eventIdPrefix: string } | { failedSince: Date };

/**
 * Makes deliveries due at once, as if they had not been attempted: of one subscription, or of all
 * that live. Returns whose they are, one id per delivery.
 */
export async function redeliver(
  transaction: Transaction<Database>,
  subscriptionId: string | null,
  selection: DeliverySelection,
): Promise<string[]> {
  const selected =
    'failedSince' in selection
      ? sql`delivery.status = 'failed'
          and coalesce(last_attempt_at, occurred_at) >= ${selection.failedSince}`
      : sql`event_id::text like ${`${selection.eventIdPrefix}%`}`;
  const { rows } = await sql<{ subscription_id: string }>`
    update webhook_deliveries delivery
    set status = 'pending', attempts = 0, next_attempt_at = booking_now(),
      last_attempt_at = null, last_status_code = null, last_error = null
    from events, webhook_subscriptions subscription
    where events.id = event_id and subscription.id = subscription_id
      and disabled_at is null and webhook_body is not null
      and (${subscriptionId}::uuid is null or subscription_id = ${subscriptionId})
      and ${selected}
    returning subscription_id`.execute(transaction);
  return rows.map((row) => row.subscription_id);
}

/** Disables every subscription for good: what they are signed with cannot be read any more. */
export async function loseSigningSecrets(transaction: Transaction<Database>): Promise<void> {
  await sql`
    update webhook_deliveries set status = 'failed', next_attempt_at = null
    where status = 'pending'`.execute(transaction);
  await sql`
    update webhook_subscriptions
    set disabled_at = coalesce(disabled_at, booking_now()), disabled_reason = 'secret_lost',
      caller_hash = null, claimed_until = null`.execute(transaction);
}

/** The deliveries that were due a minute ago or longer, of subscriptions that live. */
export async function countOverdueDeliveries(database: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ overdue: number }>`
    select count(*)::integer as overdue
    from webhook_subscriptions join webhook_deliveries on subscription_id = webhook_subscriptions.id
    where disabled_at is null and status = 'pending'
      and next_attempt_at < booking_now() - interval '1 minute'`.execute(database);
  return rows[0]?.overdue ?? 0;
}
