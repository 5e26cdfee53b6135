import { type Kysely, sql, type Transaction } from 'kysely';
import { onlyRow } from '../database/row-queries.js';
import type { SubscriptionOverview } from '../database/rows/results.js';
import type { Database } from '../database/rows/schema.js';

/** Webhooks as the studio sees and changes them. */

/**
 * The subscriptions, newest first. `idPrefix` holds only hexadecimal digits and dashes, so no wildcard of
 * LIKE. `before`: the id of the previous page's last one.
 */
export async function listSubscriptions(
  database: Kysely<Database>,
  { idPrefix, limit, before = null }: { idPrefix: string; limit: number; before?: string | null },
) {
  const { rows } = await sql<SubscriptionOverview>`
    select subscription.*, counted.* from webhook_subscriptions subscription,
      lateral (
        select count(*) filter (where status = 'pending')::integer as pending,
          count(*) filter (where status = 'delivered')::integer as delivered,
          count(*) filter (where status = 'failed')::integer as failed
        from webhook_deliveries where subscription_id = subscription.id
      ) as counted
    where id::text like ${`${idPrefix}%`}
      and (${before}::uuid is null or (created_at, id) < (
        select created_at, id from webhook_subscriptions where id = ${before}))
    order by created_at desc, id desc limit ${limit}`.execute(database);
  return rows;
}

/**
 * Enables a disabled subscription as if it had never failed. It no longer counts towards the cap per
 * address, since disabling erased its subscriber's address. False if it is not disabled, or its
 * signing secret is lost.
 */
export async function enableSubscription(transaction: Transaction<Database>, id: string) {
  const { numUpdatedRows } = await transaction
    .updateTable('webhook_subscriptions')
    .set({
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
      failures_in_a_row: 0,
      caller_hash: Buffer.alloc(0),
    })
    .where('id', '=', id)
    .where('disabled_at', 'is not', null)
    .where('disabled_reason', '<>', 'secret_lost')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The deliveries of one event, or those that failed since an instant. */
export type DeliverySelection = { eventIdPrefix: string } | { failedSince: Date };

/**
 * Makes deliveries of a live subscription, or of all (null), due at once, as if they had not been
 * attempted. Returns the id of the subscription of each.
 */
export async function redeliver(
  transaction: Transaction<Database>,
  subscriptionId: string | null,
  selection: DeliverySelection,
) {
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

/** Disables every subscription for good, since the key of their signing secrets is missing. */
export async function disableForLostSecrets(transaction: Transaction<Database>) {
  await sql`
    update webhook_deliveries set status = 'failed', next_attempt_at = null
    where status = 'pending'`.execute(transaction);
  await sql`
    update webhook_subscriptions
    set disabled_at = coalesce(disabled_at, booking_now()), disabled_reason = 'secret_lost',
      caller_hash = null, claimed_until = null`.execute(transaction);
}

/** Deliveries of live subscriptions that have been due for over a minute. */
export async function countOverdueDeliveries(database: Kysely<Database>) {
  const { rows } = await sql<{ overdue: number }>`
    select count(*)::integer as overdue
    from webhook_subscriptions join webhook_deliveries on subscription_id = webhook_subscriptions.id
    where disabled_at is null and status = 'pending'
      and next_attempt_at < booking_now() - interval '1 minute'`.execute(database);
  return onlyRow(rows).overdue;
}
