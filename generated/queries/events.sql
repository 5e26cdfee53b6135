-- The statements of src/repositories/events.ts. An argument that may be missing is given.

-- listEventsAfter
select *
from "events"
where "position" > $1
order by "position";

-- listEventsOfBooking
select * from "events" where booking_id = $1
order by position desc limit $2;

-- listNewestEvents
select *
from "events"
order by "position" desc
limit $1;

-- listSessionEventsSince
select events.*, bookings.name
from events join bookings on bookings.id = booking_id
where type in ('booking.confirmed', 'booking.moved', 'booking.cancelled', 'booking.conflict')
  and occurred_at > $1::timestamptz
  and data->>'confirmed_at' is not null
  and not data ? 'left_undecided'
  and ($2::integer is null or bookings.artist_id = $3)
order by occurred_at desc, position desc
limit $4;

-- lockUndispatchedEvents
  with undispatched as materialized (
    select * from events where dispatched_at is null
    order by position
    limit (
      select least(
        $1, greatest(1, $2 / greatest(1, count(*))))
      from webhook_subscriptions where disabled_at is null)
    for update skip locked
  ),
  unproven as materialized (
    select id from webhook_subscriptions subscription
    where disabled_at is null and not (has_succeeded and (failing_since is null
or failures_in_a_row < 10))
      and exists (select from undispatched where type = any(subscription.events))
    order by id for no key update
  )
  select undispatched.* from undispatched, (select count(*) from unproven) as after_locks
  order by position;

-- markDispatched
update events set dispatched_at = booking_now(), webhook_body = event."webhookBody"
from jsonb_to_recordset($1::jsonb) as event (
  id uuid, "webhookBody" text)
where events.id = event.id;

-- readEventBacklog
select count(*)::integer as count,
  coalesce(
    extract(epoch from booking_now() - min(occurred_at))::float8, 0
  ) as "oldestAgeSeconds"
from events where dispatched_at is null;

-- recordCalendarChange
insert into "events" ("type", "occurred_at", "data", "trace_context")
values ($1, booking_now(), $2, $3);
