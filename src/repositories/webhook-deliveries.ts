import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database, WebhookDeliveryStatus } from '../database/schema.js';
import type { WebhookEventType } from '../../generated/schemas.js';

/** A subscription that has something to send. */
export interface DueSubscription {
  id: string;
  /** Whether its last attempt failed. */
  failing: boolean;
}

/**
 * One pending delivery per event and live subscription that wants its kind and is not younger than
 * it. Returns the events that were wanted, and the subscriptions that want any.
 */
export async function insertDeliveries(
  transaction: Transaction<Database>,
  eventIds: string[],
): Promise<{ eventIds: string[]; subscriptions: DueSubscription[] }> {
  // The lock lets a subscription that is being deleted go, rather than fail the whole batch.
  const { rows } = await sql<{ eventIds: string[]; subscriptions: DueSubscription[] }>`
    with live as materialized (
      select id, events, created_at, failing_since is not null as failing
      from webhook_subscriptions where disabled_at is null
      for key share
    ),
    inserted as (
      insert into webhook_deliveries (event_id, subscription_id, next_attempt_at)
      select events.id, live.id, booking_now()
      from events join live on events.type = any(live.events)
        and events.occurred_at >= live.created_at
      where events.id = any(${eventIds}::uuid[])
      order by events.position
      returning event_id, subscription_id
    )
    select
      coalesce((select json_agg(distinct event_id) from inserted), '[]') as "eventIds",
      coalesce((
        select json_agg(json_build_object('id', id, 'failing', failing)) from live
        where id in (select subscription_id from inserted)
      ), '[]') as subscriptions`.execute(transaction);
  return rows[0] ?? { eventIds: [], subscriptions: [] };
}

/** A subscription that one caller may send to until its claim ends, and what is due. */
export interface ClaimedSubscription {
  id: string;
  url: string;
  signingSecretSealed: Buffer;
  hasSucceeded: boolean;
  /** Milliseconds since the epoch; null after a success. */
  failingSince: number | null;
  deliveries: DueDelivery[];
}

export interface DueDelivery {
  id: string;
  eventId: string;
  type: WebhookEventType;
  body: string;
  /** Attempts that were made. */
  attempts: number;
  /** Milliseconds since the epoch. */
  dueAt: number;
}

const dueDelivery = sql`json_build_object(
  'id', delivery.id::text, 'eventId', event_id, 'type', events.type, 'body', webhook_body,
  'attempts', attempts, 'dueAt', (extract(epoch from next_attempt_at) * 1000)::float8)`;

type ClaimRow = Omit<ClaimedSubscription, 'deliveries'> & {
  delivery: DueDelivery | null;
};

/**
 * Claims those of the subscriptions that live, have something due and are claimed by nobody, for
 * `claimSeconds`; with up to `limit` due deliveries each, the longest due first. A process that
 * dies leaves a claim that ends by itself.
 *
 * Rows that another transaction holds are skipped, so this never waits: whoever holds a subscription
 * looks for due deliveries again after it let go. Deliveries are locked so that one whose outcome
 * was recorded after this statement began is seen as it is now.
 */
export async function claimDueDeliveries(
  database: Kysely<Database>,
  subscriptionIds: string[],
  { claimSeconds, limit }: { claimSeconds: number; limit: number },
): Promise<ClaimedSubscription[]> {
  const { rows } = await sql<ClaimRow>`
    with moment as materialized (select booking_now() as now),
    free as materialized (
      select id from webhook_subscriptions subscription
      where id = any(${subscriptionIds}::uuid[]) and disabled_at is null
        and (claimed_until is null or claimed_until <= (select now from moment))
        and exists (
          select 1 from webhook_deliveries
          where subscription_id = subscription.id
            and status = 'pending' and next_attempt_at <= (select now from moment))
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
      due.delivery
    from claimed left join lateral (
      select ${dueDelivery} as delivery
      from webhook_deliveries delivery join events on events.id = event_id
      where subscription_id = claimed.id
        and status = 'pending' and next_attempt_at <= (select now from moment)
      order by next_attempt_at, delivery.id
      limit ${limit}
      for update of delivery skip locked
    ) due on true`.execute(database);
  return gather(rows);
}

function gather(rows: ClaimRow[]): ClaimedSubscription[] {
  const claimed = new Map<string, ClaimedSubscription>();
  for (const { delivery, ...row } of rows) {
    const subscription = claimed.get(row.id) ?? { ...row, deliveries: [] };
    claimed.set(row.id, subscription);
    if (delivery !== null) subscription.deliveries.push(delivery);
  }
  return [...claimed.values()];
}

/**
 * What is due to a subscription at present, for whoever has claimed it; nothing once it was deleted
 * or disabled.
 */
export async function listDueDeliveries(
  database: Kysely<Database>,
  subscriptionId: string,
  limit: number,
): Promise<DueDelivery[]> {
  const { rows } = await sql<{ delivery: DueDelivery }>`
    select ${dueDelivery} as delivery
    from webhook_deliveries delivery join events on events.id = event_id
      join webhook_subscriptions on webhook_subscriptions.id = subscription_id
    where subscription_id = ${subscriptionId} and disabled_at is null
      and status = 'pending' and next_attempt_at <= booking_now()
    order by next_attempt_at, delivery.id
    limit ${limit}`.execute(database);
  return rows.map(({ delivery }) => delivery);
}

/** What became of one attempt. */
export interface DeliveryOutcome {
  id: string;
  status: WebhookDeliveryStatus;
  statusCode: number | null;
  error: string | null;
  /** Until the next attempt; null unless pending. */
  delaySeconds: number | null;
}

/** What is known of a subscription after some attempts, and whether its claim ends. */
export interface SubscriptionState {
  id: string;
  hasSucceeded: boolean;
  failing: boolean;
  released: boolean;
}

/**
 * Records attempts of claimed subscriptions in one statement, and prolongs or ends the claims.
 * An attempt of a delivery that has ended meanwhile (deleted, disabled) changes nothing. Returns the
 * ids of the subscriptions that live.
 */
export async function recordAttempts(
  database: Kysely<Database>,
  outcomes: DeliveryOutcome[],
  states: SubscriptionState[],
  { claimSeconds }: { claimSeconds: number },
): Promise<Set<string>> {
  const column = <Key extends keyof DeliveryOutcome>(key: Key) => outcomes.map((each) => each[key]);
  const state = <Key extends keyof SubscriptionState>(key: Key) => states.map((each) => each[key]);
  // Lists of parameters tell the planner how few rows there are.
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
      where delivery.id = outcome.id and delivery.status = 'pending'
      returning 1
    )
    update webhook_subscriptions subscription
    set has_succeeded = state.has_succeeded,
      failing_since = case when state.failing then coalesce(failing_since, moment.now) end,
      claimed_until = case when not state.released
        then moment.now + make_interval(secs => ${claimSeconds}) end
    from moment, (select count(*) from recorded) as after_deliveries, unnest(
        ${state('id')}::uuid[], ${state('hasSucceeded')}::boolean[], ${state('failing')}::boolean[],
        ${state('released')}::boolean[]
      ) as state (id, has_succeeded, failing, released)
    where subscription.id = state.id and disabled_at is null
    returning subscription.id`.execute(database);
  return new Set(rows.map(({ id }) => id));
}

/** A subscription with something due, and in how many seconds a claim on it ends (0: none). */
export interface WaitingSubscription extends DueSubscription {
  claimedForSeconds: number;
}

export async function listDueSubscriptions(
  database: Kysely<Database>,
  limit: number,
): Promise<WaitingSubscription[]> {
  const { rows } = await sql<WaitingSubscription>`
    with moment as materialized (select booking_now() as now)
    select id, failing_since is not null as failing,
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
 * Forgets deliveries that ended long ago, from the oldest on, up to a thousand, and subscriptions
 * that were disabled long ago.
 */
export async function deleteOldWebhooks(
  database: Kysely<Database>,
  retentionDays: number,
): Promise<void> {
  const cutoff = sql`booking_now() - make_interval(days => ${retentionDays})`;
  await sql`
    delete from webhook_deliveries
    where id in (select id from webhook_deliveries order by id limit 1000)
      and status <> 'pending' and coalesce(
        last_attempt_at, (select occurred_at from events where events.id = event_id)
      ) < ${cutoff}`.execute(database);
  await sql`delete from webhook_subscriptions where disabled_at < ${cutoff}`.execute(database);
}
