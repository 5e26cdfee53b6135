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

-- recordCalendarFailures
with moment as materialized (select booking_now() as now),
told as (
  update watched_calendars set failure_told_at = moment.now
  from moment
  where failing_since <= moment.now - interval '2 hours' and failure_told_at is null
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
set "etag" = $1, "read_window" = $2, "read_at" = booking_now(), "failing_since" = $3, "last_error" = $4, "last_status_code" = $5, "failure_told_at" = $6, "claimed_until" = $7
where "id" = $8 and "claimed_until" = $9;

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
