import { sql, type Transaction } from 'kysely';
import { unprovenLimits } from '../config/limits.js';
import type { Database } from '../database/rows/schema.js';
import { isProven } from './webhook-subscriptions.js';

/** A subscription with due deliveries. */
export interface DueSubscription {
  id: string;
  /** Whether its last attempt succeeded. */
  healthy: boolean;
}

export const isHealthy = sql<boolean>`(has_succeeded and failing_since is null)`;

/**
 * Inserts a pending delivery per event and live subscription to its type that is not younger than the
 * event; an unproven subscription counts those beyond its limit as skipped. Returns the events that got
 * deliveries, and the subscriptions to any of the events.
 */
export async function insertDeliveries(transaction: Transaction<Database>, eventIds: string[]) {
  // The lock leaves out a subscription that is being deleted, which would fail the whole batch.
  const { rows } = await sql<{ eventIds: string[]; subscriptions: DueSubscription[] }>`
    with live as materialized (
      select id, events, created_at, ${isHealthy} as healthy,
        case when not ${isProven} then ${sql.lit(unprovenLimits.waiting)} - (
          select count(*) from (
            select from webhook_deliveries where subscription_id = subscription.id
              and status = 'pending' limit ${sql.lit(unprovenLimits.waiting)}
          ) as waiting
        ) end as room
      from webhook_subscriptions subscription where disabled_at is null
      for key share
    ),
    wanted as materialized (
      select events.id as event_id, position, live.id as subscription_id, room,
        row_number() over (partition by live.id order by position) as place
      from events join live on events.type = any(live.events)
        and events.occurred_at >= live.created_at
      where events.id = any(${eventIds}::uuid[])
    ),
    inserted as (
      insert into webhook_deliveries (event_id, subscription_id, next_attempt_at)
      select event_id, subscription_id, booking_now() from wanted
      where room is null or place <= room
      order by position
      returning event_id
    ),
    skipped as (
      update webhook_subscriptions set skipped = skipped + beyond.events
      from (
        select subscription_id, count(*)::integer as events from wanted where place > room group by 1
      ) as beyond
      where id = beyond.subscription_id
    )
    select
      coalesce((select json_agg(distinct event_id) from inserted), '[]') as "eventIds",
      coalesce((
        select json_agg(json_build_object('id', id, 'healthy', healthy)) from live
        where id in (select subscription_id from wanted)
      ), '[]') as subscriptions`.execute(transaction);
  return rows[0] ?? { eventIds: [], subscriptions: [] };
}
