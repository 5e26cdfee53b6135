import { type Kysely, sql, type Transaction } from 'kysely';
import { unprovenLimits } from '../config/limits.js';
import { finder, onlyRow } from '../database/row-queries.js';
import type { RecentDelivery } from '../database/rows/results.js';
import type { Database } from '../database/rows/schema.js';
import type { WebhookDisabledReason, WebhookSubscriptionRow } from '../database/rows/webhooks.js';

/**
 * Whether a row of `webhook_subscriptions` is free of `unprovenLimits`. A process of the previous
 * version that records a success leaves `failures_in_a_row` as it was.
 */
export const isProven = sql<boolean>`(has_succeeded and (failing_since is null
  or failures_in_a_row < ${sql.lit(unprovenLimits.afterFailures)}))`;

export interface LiveSubscriptions {
  ofCaller: number;
  ofDomain: number;
  total: number;
}

const subscriptionLock = 0x686f6f6b;

/** Serializes the creation of subscriptions until the transaction ends, so that races cannot exceed a cap. */
export async function lockSubscriptionCreation(transaction: Transaction<Database>) {
  await sql`select pg_advisory_xact_lock(${sql.lit(subscriptionLock)})`.execute(transaction);
}

/**
 * Counts live subscriptions. `callerHashes` holds each hash under which the caller's may be stored. If
 * `targetDomain` is null, the host counts by itself.
 */
export async function countLiveSubscriptions(
  database: Kysely<Database>,
  {
    callerHashes,
    targetHost,
    targetDomain,
  }: { callerHashes: Buffer[]; targetHost: string; targetDomain: string | null },
) {
  const suffix = targetDomain === null ? null : `.${targetDomain}`;
  const { rows } = await sql<LiveSubscriptions>`
    select count(*)::integer as total,
      (count(*) filter (where caller_hash = any(${callerHashes}::bytea[])))::integer as "ofCaller",
      (count(*) filter (
        where target_host in (${targetHost}, ${targetDomain})
          or right(target_host, length(${suffix})) = ${suffix}
      ))::integer as "ofDomain"
    from webhook_subscriptions where disabled_at is null`.execute(database);
  return rows[0] ?? { ofCaller: 0, ofDomain: 0, total: 0 };
}

/** All live subscriptions, and those of them that never succeeded. */
export async function countSubscriptions(database: Kysely<Database>) {
  const { rows } = await sql<{ total: number; unproven: number }>`
    select count(*)::integer as total,
      (count(*) filter (where not has_succeeded))::integer as unproven
    from webhook_subscriptions where disabled_at is null`.execute(database);
  return onlyRow(rows);
}

/**
 * Locks the oldest live subscription that never succeeded; null if there is none. One whose delivery is
 * being recorded is skipped: it may be its first success.
 */
export async function findOldestUnproven(database: Kysely<Database>) {
  const row = await database
    .selectFrom('webhook_subscriptions')
    .select('id')
    .where('disabled_at', 'is', null)
    .where('has_succeeded', '=', false)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row?.id ?? null;
}

export type NewSubscription = Pick<
  WebhookSubscriptionRow,
  'url' | 'target_host' | 'events' | 'signing_secret_sealed' | 'manage_token_hash'
> & { caller_hash: Buffer };

export async function insertSubscription(
  database: Kysely<Database>,
  subscription: NewSubscription,
) {
  const { url, target_host, events, signing_secret_sealed, manage_token_hash, caller_hash } =
    subscription;
  return database
    .insertInto('webhook_subscriptions')
    .values({
      url,
      target_host,
      events,
      signing_secret_sealed,
      manage_token_hash,
      caller_hash,
      created_at: sql<Date>`booking_now()`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export const findSubscriptionByToken = finder('webhook_subscriptions', 'manage_token_hash');

export async function listRecentDeliveries(
  database: Kysely<Database>,
  subscriptionId: string,
  limit: number,
) {
  const { rows } = await sql<RecentDelivery>`
    select event_id, type, status, attempts, last_status_code, last_attempt_at, next_attempt_at
    from webhook_deliveries join events on events.id = event_id
    where subscription_id = ${subscriptionId}
    order by webhook_deliveries.id desc limit ${limit}`.execute(database);
  return rows;
}

/**
 * Deletes a subscription and its deliveries; deliveries first, the order in which `recordAttempts`
 * locks them, so that no deadlock arises. False if the subscription does not exist.
 */
export async function deleteSubscription(transaction: Transaction<Database>, id: string) {
  await transaction.deleteFrom('webhook_deliveries').where('subscription_id', '=', id).execute();
  const { numDeletedRows } = await transaction
    .deleteFrom('webhook_subscriptions')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/**
 * Disables a subscription: its pending deliveries fail, and its subscriber's address is erased. False if
 * it was disabled before.
 */
export async function disableSubscription(
  database: Kysely<Database>,
  id: string,
  reason: WebhookDisabledReason,
) {
  const { rows } = await sql`
    with ended as (
      update webhook_deliveries set status = 'failed', next_attempt_at = null
      where subscription_id = ${id} and status = 'pending'
      returning 1
    )
    update webhook_subscriptions
    set disabled_at = booking_now(), disabled_reason = ${reason}, caller_hash = null,
      claimed_until = null
    from (select count(*) from ended) as after_deliveries
    where id = ${id} and disabled_at is null
    returning id`.execute(database);
  return rows.length > 0;
}

/** Signing secrets that are not sealed under the key with this id (hexadecimal). */
export async function listSecretsSealedByOtherKeys(database: Kysely<Database>, keyId: string) {
  const { rows } = await sql<{ id: string; signing_secret_sealed: Buffer }>`
    select id, signing_secret_sealed from webhook_subscriptions
    where substr(signing_secret_sealed, 2, 4) <> decode(${keyId}, 'hex')
      and disabled_reason is distinct from 'secret_lost'`.execute(database);
  return rows;
}

export async function replaceSealedSecret(database: Kysely<Database>, id: string, sealed: Buffer) {
  await database
    .updateTable('webhook_subscriptions')
    .set({ signing_secret_sealed: sealed })
    .where('id', '=', id)
    .execute();
}
