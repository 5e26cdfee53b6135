-- The statements of src/repositories/calendar-fetches.ts. An argument that may be missing is given.

-- findOwnIds
select id from bookings where id = any($1::uuid[])
union all select id from closures where id = any($2::uuid[]);

-- isAnyCalendarBusy
select max(ends_at) > booking_now() as busy from busy_intervals;

-- lockClaimedCalendar
select from watched_calendars
where id = $1 and claimed_until = $2
for update;

-- moveCalendar
update watched_calendars set host = $1, address_sealed = $2,
  address_hash = $3,
  former_address_sealed = coalesce(former_address_sealed, address_sealed),
  former_address_hash = coalesce(former_address_hash, address_hash)
where id = $4 and not exists (
  select from watched_calendars other
  where other.address_hash = any($5::bytea[])
    or other.id <> $6 and other.former_address_hash = any($7::bytea[])
)
returning id;

-- recordCalendarFailures
with moment as materialized (select booking_now() as now),
told as (
  update watched_calendars set
    failure_told_at = case when failing_since <= moment.now - interval '2 hours'
      then coalesce(failure_told_at, moment.now) end,
    unreadable_told_at = case when unreadable is not null
      then coalesce(unreadable_told_at, moment.now) end
  from moment
  where (failing_since <= moment.now - interval '2 hours' and failure_told_at is null)
    or (unreadable is not null and unreadable_told_at is null)
  returning id, moment.now
)
insert into events (type, booking_id, occurred_at, data, trace_context)
select 'calendar.failing', null, now, jsonb_build_object('calendar_id', id),
  $1::text
from told;

-- recordFailedFetch
update watched_calendars
set failing_since = coalesce(failing_since, booking_now()), last_error = $1,
  last_status_code = $2, claimed_until = null
where id = $3 and claimed_until = $4;

-- recordFetch
update "watched_calendars"
set "etag" = $1, "read_window" = $2, "unreadable" = $3::jsonb, "empty_since" = $4, "has_events" = $5, "read_at" = booking_now(), "failing_since" = $6, "last_error" = $7, "last_status_code" = $8, "failure_told_at" = $9, "claimed_until" = $10
where "id" = $11 and "claimed_until" = $12;

-- releaseCalendar
update watched_calendars set next_fetch_at = booking_now(), claimed_until = null
where id = $1 and claimed_until = $2;

-- replaceBusyIntervals
select floor(extract(epoch from starts_at) * 1000)::float8 as "startsAt",
  floor(extract(epoch from ends_at) * 1000)::float8 as "endsAt"
from busy_intervals where calendar_id = $1 order by starts_at;

delete
from "busy_intervals"
where "calendar_id" = $1;
