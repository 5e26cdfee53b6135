-- The statements of src/repositories/webhook-dispatch.ts. An argument that may be missing is given.

-- insertDeliveries
  with live as materialized (
    select id, events, created_at, (has_succeeded and failing_since is null) as healthy,
      case when not (has_succeeded and (failing_since is null
or failures_in_a_row < 10)) then 20 - (
        select count(*) from (
          select from webhook_deliveries where subscription_id = subscription.id
            and status = 'pending' limit 20
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
    where events.id = any($1::uuid[])
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
    ), '[]') as subscriptions;
