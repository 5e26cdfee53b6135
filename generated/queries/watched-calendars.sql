-- The statements of src/repositories/watched-calendars.ts. An argument that may be missing is given.

-- claimCalendar
  with moment as materialized (select booking_now() as now),
  due as materialized (
    select watched_calendars.id from watched_calendars, moment
    where watched_calendars.id = $1 and (claimed_until is null or claimed_until <= moment.now)
    order by next_fetch_at limit 1
    for update of watched_calendars skip locked
  )
  update watched_calendars calendar
  set next_fetch_at = moment.now + make_interval(secs => 570), claimed_until = moment.now + make_interval(secs => 180)
  from due, moment where calendar.id = due.id
  returning calendar.id, calendar.address_sealed, calendar.etag, calendar.read_window,
calendar.has_events, calendar.empty_since, calendar.claimed_until,
floor(extract(epoch from
  calendar.claimed_until - make_interval(secs => 180)) * 1000
)::float8 as now;

-- claimDueCalendar
  with moment as materialized (select booking_now() as now),
  due as materialized (
    select watched_calendars.id from watched_calendars, moment
    where next_fetch_at <= moment.now and (claimed_until is null or claimed_until <= moment.now)
    order by next_fetch_at limit 1
    for update of watched_calendars skip locked
  )
  update watched_calendars calendar
  set next_fetch_at = moment.now + make_interval(secs => 570), claimed_until = moment.now + make_interval(secs => 180)
  from due, moment where calendar.id = due.id
  returning calendar.id, calendar.address_sealed, calendar.etag, calendar.read_window,
calendar.has_events, calendar.empty_since, calendar.claimed_until,
floor(extract(epoch from
  calendar.claimed_until - make_interval(secs => 180)) * 1000
)::float8 as now;

-- countFailingCalendars
select count(*)::integer as count from watched_calendars
where failing_since <= booking_now() - interval '2 hours';

-- countWatchedCalendars
select count(*) as "count"
from "watched_calendars";

-- deleteWatchedCalendar
delete
from "watched_calendars"
where "id" = $1;

-- findCalendarByAddress
select id, label, host, artist_id, created_at, etag, read_window, read_at, failing_since, last_error,
  last_status_code, failure_told_at, unreadable, unreadable_told_at, has_events, empty_since,
  next_fetch_at, claimed_until,
  (
    select count(*) from busy_intervals
    where calendar_id = calendar.id and ends_at > moment.now
  )::integer as "busyIntervals",
  coalesce(failing_since <= moment.now - interval '2 hours', false) as "isFailing",
  next_fetch_at <= moment.now - make_interval(secs => $1) as "isOverdue"
from watched_calendars calendar, (select booking_now() as now) as moment
where $2::bytea[] && array[address_hash, former_address_hash]
order by created_at desc, id desc;

-- findCalendarOverview
select id, label, host, artist_id, created_at, etag, read_window, read_at, failing_since, last_error,
  last_status_code, failure_told_at, unreadable, unreadable_told_at, has_events, empty_since,
  next_fetch_at, claimed_until,
  (
    select count(*) from busy_intervals
    where calendar_id = calendar.id and ends_at > moment.now
  )::integer as "busyIntervals",
  coalesce(failing_since <= moment.now - interval '2 hours', false) as "isFailing",
  next_fetch_at <= moment.now - make_interval(secs => $1) as "isOverdue"
from watched_calendars calendar, (select booking_now() as now) as moment
where id = $2
order by created_at desc, id desc;

-- hasOverdueCalendar
select exists (
  select from watched_calendars, (select booking_now() as now) as moment
  where next_fetch_at < moment.now - interval '1 minute'
    and (claimed_until is null or claimed_until <= moment.now)
) as overdue;

-- insertWatchedCalendar
  insert into watched_calendars as calendar
    (label, host, artist_id, address_sealed, address_hash, created_at, next_fetch_at, claimed_until)
  select $1, $2, $3::integer, $4::bytea, $5::bytea, moment.now,
    moment.now + make_interval(secs => 570), moment.now + make_interval(secs => 180)
  from (select booking_now() as now) as moment
  returning calendar.id, calendar.address_sealed, calendar.etag, calendar.read_window,
calendar.has_events, calendar.empty_since, calendar.claimed_until,
floor(extract(epoch from
  calendar.claimed_until - make_interval(secs => 180)) * 1000
)::float8 as now;

-- listAddressesSealedByOtherKeys
select id, address_sealed, former_address_sealed from watched_calendars
where substr(address_sealed, 2, 4) <> decode($1, 'hex')
  or substr(former_address_sealed, 2, 4) <> decode($2, 'hex');

-- listCalendarOverviews
select id, label, host, artist_id, created_at, etag, read_window, read_at, failing_since, last_error,
  last_status_code, failure_told_at, unreadable, unreadable_told_at, has_events, empty_since,
  next_fetch_at, claimed_until,
  (
    select count(*) from busy_intervals
    where calendar_id = calendar.id and ends_at > moment.now
  )::integer as "busyIntervals",
  coalesce(failing_since <= moment.now - interval '2 hours', false) as "isFailing",
  next_fetch_at <= moment.now - make_interval(secs => $1) as "isOverdue"
from watched_calendars calendar, (select booking_now() as now) as moment
where true
order by created_at desc, id desc;

-- lockWatchedCalendars
select pg_advisory_xact_lock(1667329139);

-- makeCalendarsDue
update watched_calendars set next_fetch_at = booking_now(), claimed_until = null;

-- replaceSealedAddress
update "watched_calendars"
set "address_sealed" = $1, "address_hash" = $2, "former_address_sealed" = $3, "former_address_hash" = $4
where "id" = $5;
