import { type Kysely, sql } from 'kysely';
import type { WebhookEventType } from '../../generated/schemas.js';
import type { Database } from '../database/rows/schema.js';
import type { WebhookDeliveryStatus } from '../database/rows/webhooks.js';
import { type DueSubscription, isHealthy } from './webhook-dispatch.js';

/** A subscription that one process may send to until its claim ends, and its due deliveries. */
export interface ClaimedSubscription {
  id: string;
  url: string;
  signingSecretSealed: Buffer;
  hasSucceeded: boolean;
  /** Milliseconds since the epoch; null after a success. */
  failingSince: number | null;
  failuresInARow: number;
  deliveries: DueDelivery[];
}

export interface DueDelivery {
  id: string;
  eventId: string;
  type: WebhookEventType;
  body: string;
  attempts: number;
  /** Milliseconds since the epoch. */
  dueAt: number;
  /** The trace context of the event. */
  traceContext: string | null;
}

const dueDelivery = sql`
  delivery.id::text, event_id as "eventId", events.type, webhook_body as body, attempts,
  (extract(epoch from next_attempt_at) * 1000)::float8 as "dueAt", trace_context as "traceContext"`;

type ClaimRow = Omit<ClaimedSubscription, 'deliveries'> & {
  delivery: DueDelivery | null;
};

/**
 * Claims, for `claimSeconds`, those of the subscriptions that are live, unclaimed and have due
 * deliveries; returns up to `limit` deliveries of each, the longest due first. The claim of a process
 * that dies expires.
 *
 * Never waits: it skips rows that another transaction has locked, since a process that releases a claim
 * looks for due deliveries again. It locks the deliveries, so that one whose outcome was recorded after
 * this statement began is returned in its present state, or not at all.
 *
 * Each subscription is checked for due deliveries on its own: `exists` would become a join over all.
 */
export async function claimDueDeliveries(
  database: Kysely<Database>,
  subscriptionIds: string[],
  { claimSeconds, limit }: { claimSeconds: number; limit: number },
) {
  const { rows } = await sql<ClaimRow>`
    with moment as materialized (select booking_now() as now),
    free as materialized (
      select id from webhook_subscriptions subscription
      where id = any(${subscriptionIds}::uuid[]) and disabled_at is null
        and (claimed_until is null or claimed_until <= (select now from moment))
        and (
          select true from webhook_deliveries
          where subscription_id = subscription.id
            and status = 'pending' and next_attempt_at <= (select now from moment)
          limit 1)
      for no key update skip locked
    ),
    claimed as (
      update webhook_subscriptions
      set claimed_until = (select now from moment) + make_interval(secs => ${claimSeconds})
      from free where webhook_subscriptions.id = free.id
      returning webhook_subscriptions.*
    )
    select claimed.id, claimed.url, signing_secret_sealed as "signingSecretSealed",
      has_succeeded as "hasSucceeded",
      (extract(epoch from failing_since) * 1000)::float8 as "failingSince",
      case when failing_since is null then 0 else failures_in_a_row end as "failuresInARow",
      row_to_json(due) as delivery
    from claimed left join lateral (
      select ${dueDelivery}
      from webhook_deliveries delivery join events on events.id = event_id
      where subscription_id = claimed.id
        and status = 'pending' and next_attempt_at <= (select now from moment)
      order by next_attempt_at, delivery.id
      limit ${limit}
      for update of delivery skip locked
    ) due on true`.execute(database);
  return groupBySubscription(rows);
}

function groupBySubscription(rows: ClaimRow[]): ClaimedSubscription[] {
  const claimed = new Map<string, ClaimedSubscription>();
  for (const { delivery, ...row } of rows) {
    const subscription = claimed.get(row.id) ?? { ...row, deliveries: [] };
    claimed.set(row.id, subscription);
    if (delivery !== null) subscription.deliveries.push(delivery);
  }
  return [...claimed.values()];
}

/** The due deliveries of a claimed subscription; none once it is deleted or disabled. */
export async function listDueDeliveries(
  database: Kysely<Database>,
  subscriptionId: string,
  limit: number,
) {
  const { rows } = await sql<DueDelivery>`
    select ${dueDelivery}
    from webhook_deliveries delivery join events on events.id = event_id
      join webhook_subscriptions on webhook_subscriptions.id = subscription_id
    where subscription_id = ${subscriptionId} and disabled_at is null
      and status = 'pending' and next_attempt_at <= booking_now()
    order by next_attempt_at, delivery.id
    limit ${limit}`.execute(database);
  return rows;
}

/** The record of one attempt. */
export interface DeliveryOutcome {
  id: string;
  status: WebhookDeliveryStatus;
  statusCode: number | null;
  error: string | null;
  /** Seconds until the next attempt; null if there is none. */
  delaySeconds: number | null;
}

/** The record of a subscription after some attempts. */
export interface SubscriptionState {
  id: string;
  hasSucceeded: boolean;
  failing: boolean;
  failuresInARow: number;
  /** Whether its claim ends. */
  released: boolean;
}

/**
 * Records attempts of claimed subscriptions in one statement, and prolongs or ends the claims. An
 * attempt of a delivery that was deleted or disabled meanwhile changes nothing. Returns the ids of
 * the live subscriptions.
 */
export async function recordAttempts(
  database: Kysely<Database>,
  outcomes: DeliveryOutcome[],
  states: SubscriptionState[],
  { claimSeconds }: { claimSeconds: number },
) {
  const column = <Key extends keyof DeliveryOutcome>(key: Key) => outcomes.map((each) => each[key]);
  const state = <Key extends keyof SubscriptionState>(key: Key) => states.map((each) => each[key]);
  // Arrays as parameters show the planner how few rows there are. Pending deliveries have a next attempt:
  // by `status`, the planner would read everybody's.
  const { rows } = await sql<{ id: string }>`
    with moment as materialized (select booking_now() as now),
    recorded as (
      update webhook_deliveries delivery
      set status = outcome.status, attempts = attempts + 1, last_attempt_at = moment.now,
        last_status_code = outcome.status_code, last_error = outcome.error,
        next_attempt_at = moment.now + make_interval(secs => outcome.delay_seconds)
      from moment, unnest(
        ${column('id')}::bigint[], ${column('status')}::text[], ${column('statusCode')}::integer[],
        ${column('error')}::text[], ${column('delaySeconds')}::float8[]
      ) as outcome (id, status, status_code, error, delay_seconds)
      where delivery.id = outcome.id and delivery.next_attempt_at is not null
      returning 1
    ),
    locked as materialized (
      select id from webhook_subscriptions subscription,
        (select count(*) from recorded) as after_deliveries
      where id = any(${state('id')}::uuid[])
      order by id for no key update of subscription
    )
    update webhook_subscriptions subscription
    set has_succeeded = state.has_succeeded,
      failing_since = case when state.failing then coalesce(failing_since, moment.now) end,
      failures_in_a_row = state.failures_in_a_row,
      claimed_until = case when not state.released
        then moment.now + make_interval(secs => ${claimSeconds}) end
    from moment, locked, unnest(
        ${state('id')}::uuid[], ${state('hasSucceeded')}::boolean[], ${state('failing')}::boolean[],
        ${state('failuresInARow')}::integer[], ${state('released')}::boolean[]
      ) as state (id, has_succeeded, failing, failures_in_a_row, released)
    where subscription.id = state.id and subscription.id = locked.id and disabled_at is null
    returning subscription.id`.execute(database);
  return new Set(rows.map(({ id }) => id));
}

interface WaitingSubscription extends DueSubscription {
  /** Seconds until the claim on it ends; 0 if there is none. */
  claimedForSeconds: number;
}

export async function listDueSubscriptions(database: Kysely<Database>, limit: number) {
  const { rows } = await sql<WaitingSubscription>`
    with moment as materialized (select booking_now() as now)
    select id, ${isHealthy} as healthy,
      coalesce(greatest(extract(epoch from claimed_until - moment.now), 0), 0)::float8
        as "claimedForSeconds"
    from webhook_subscriptions subscription, moment
    where disabled_at is null and exists (
      select 1 from webhook_deliveries
      where subscription_id = subscription.id
        and status = 'pending' and next_attempt_at <= moment.now)
    limit ${limit}`.execute(database);
  return rows;
}

/**
 * Deletes up to a thousand of the oldest deliveries, if they ended before the retention period, and
 * all subscriptions that were disabled before it.
 */
export async function deleteOldWebhooks(database: Kysely<Database>, retentionDays: number) {
  const cutoff = sql`booking_now() - make_interval(days => ${retentionDays})`;
  await sql`
    delete from webhook_deliveries
    where id in (select id from webhook_deliveries order by id limit 1000)
      and status <> 'pending' and coalesce(
        last_attempt_at, (select occurred_at from events where events.id = event_id)
      ) < ${cutoff}`.execute(database);
  await sql`delete from webhook_subscriptions where disabled_at < ${cutoff}`.execute(database);
}

/** The deliveries of the events of bookings, oldest first, each with the host that receives it. */
export async function listDeliveriesOfBookings(
  database: Kysely<Database>,
  bookingIds: readonly string[],
) {
  return database
    .selectFrom('webhook_deliveries')
    .innerJoin('events', 'events.id', 'event_id')
    .innerJoin('webhook_subscriptions as subscriptions', 'subscriptions.id', 'subscription_id')
    .selectAll('webhook_deliveries')
    .select(['subscriptions.target_host', 'booking_id'])
    .where(sql<boolean>`booking_id = any(${bookingIds}::uuid[])`)
    .orderBy('events.position')
    .orderBy('webhook_deliveries.id')
    .execute();
}
