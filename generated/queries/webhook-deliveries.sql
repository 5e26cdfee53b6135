-- The statements of src/repositories/webhook-deliveries.ts. An argument that may be missing is given.

-- claimDueDeliveries
  with moment as materialized (select booking_now() as now),
  free as materialized (
    select id from webhook_subscriptions subscription
    where id = any($1::uuid[]) and disabled_at is null
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
    set claimed_until = (select now from moment) + make_interval(secs => $2)
    from free where webhook_subscriptions.id = free.id
    returning webhook_subscriptions.*
  )
  select claimed.id, claimed.url, signing_secret_sealed as "signingSecretSealed",
    has_succeeded as "hasSucceeded",
    (extract(epoch from failing_since) * 1000)::float8 as "failingSince",
    case when failing_since is null then 0 else failures_in_a_row end as "failuresInARow",
    row_to_json(due) as delivery
  from claimed left join lateral (
    select
delivery.id::text, event_id as "eventId", events.type, webhook_body as body, attempts,
(extract(epoch from next_attempt_at) * 1000)::float8 as "dueAt", trace_context as "traceContext"
    from webhook_deliveries delivery join events on events.id = event_id
    where subscription_id = claimed.id
      and status = 'pending' and next_attempt_at <= (select now from moment)
    order by next_attempt_at, delivery.id
    limit $3
    for update of delivery skip locked
  ) due on true;

-- deleteOldWebhooks
delete from webhook_deliveries
where id in (select id from webhook_deliveries order by id limit 1000)
  and status <> 'pending' and coalesce(
    last_attempt_at, (select occurred_at from events where events.id = event_id)
  ) < booking_now() - make_interval(days => $1);

delete
from webhook_subscriptions
where disabled_at < booking_now() - make_interval(days => $1);

-- listDeliveriesOfBookings
select "webhook_deliveries".*, "subscriptions"."target_host", "booking_id"
from "webhook_deliveries"
inner join "events" on "events"."id" = "event_id"
inner join "webhook_subscriptions" as "subscriptions" on "subscriptions"."id" = "subscription_id"
where booking_id = any($1::uuid[])
order by "events"."position", "webhook_deliveries"."id";

-- listDueDeliveries
  select
delivery.id::text, event_id as "eventId", events.type, webhook_body as body, attempts,
(extract(epoch from next_attempt_at) * 1000)::float8 as "dueAt", trace_context as "traceContext"
  from webhook_deliveries delivery join events on events.id = event_id
    join webhook_subscriptions on webhook_subscriptions.id = subscription_id
  where subscription_id = $1 and disabled_at is null
    and status = 'pending' and next_attempt_at <= booking_now()
  order by next_attempt_at, delivery.id
  limit $2;

-- listDueSubscriptions
with moment as materialized (select booking_now() as now)
select id, (has_succeeded and failing_since is null) as healthy,
  coalesce(greatest(extract(epoch from claimed_until - moment.now), 0), 0)::float8
    as "claimedForSeconds"
from webhook_subscriptions subscription, moment
where disabled_at is null and exists (
  select 1 from webhook_deliveries
  where subscription_id = subscription.id
    and status = 'pending' and next_attempt_at <= moment.now)
limit $1;

-- recordAttempts
with moment as materialized (select booking_now() as now),
recorded as (
  update webhook_deliveries delivery
  set status = outcome.status, attempts = attempts + 1, last_attempt_at = moment.now,
    last_status_code = outcome.status_code, last_error = outcome.error,
    next_attempt_at = moment.now + make_interval(secs => outcome.delay_seconds)
  from moment, unnest(
    $1::bigint[], $2::text[], $3::integer[],
    $4::text[], $5::float8[]
  ) as outcome (id, status, status_code, error, delay_seconds)
  where delivery.id = outcome.id and delivery.next_attempt_at is not null
  returning 1
),
locked as materialized (
  select id from webhook_subscriptions subscription,
    (select count(*) from recorded) as after_deliveries
  where id = any($6::uuid[])
  order by id for no key update of subscription
)
update webhook_subscriptions subscription
set has_succeeded = state.has_succeeded,
  failing_since = case when state.failing then coalesce(failing_since, moment.now) end,
  failures_in_a_row = state.failures_in_a_row,
  claimed_until = case when not state.released
    then moment.now + make_interval(secs => $7) end
from moment, locked, unnest(
    $8::uuid[], $9::boolean[], $10::boolean[],
    $11::integer[], $12::boolean[]
  ) as state (id, has_succeeded, failing, failures_in_a_row, released)
where subscription.id = state.id and subscription.id = locked.id and disabled_at is null
returning subscription.id;
