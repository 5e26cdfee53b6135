-- The statements of src/repositories/conflicts.ts. An argument that may be missing is given.

-- insertConflicts
with moment as materialized (select booking_now() as now),
present as materialized (
  select bookings.* from bookings
    join jsonb_to_recordset($1::jsonb) as found (
      id uuid, starts_at timestamptz) on found.id = bookings.id
  where bookings.id = any($2::uuid[]) and bookings.status = 'confirmed'
    and bookings.starts_at = found.starts_at
    and bookings.starts_at > (select now from moment)
  for no key update of bookings skip locked
),
recorded as (
  insert into booking_conflicts (booking_id, starts_at, found_at)
  select id, starts_at, moment.now from present, moment
  on conflict do nothing
  returning booking_id
),
conflicting as (select present.* from present join recorded on booking_id = id),
event as (
insert into events (type, booking_id, occurred_at, data, trace_context)
select 'booking.conflict', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
'artist_id', artist_id, 'artist_name', artist_name) end || jsonb_build_object('sequence', sequence), $3::text
from "conflicting"
order by expires_at)
select count(*)::integer as count from recorded;

-- listBusyBookings
  select bookings.*, busy.calendar_id as "calendarId", watched_calendars.label as "busyLabel",
    watched_calendars.artist_id as "artistId", busy.starts_at as "startsAt", busy.ends_at as "endsAt"
  from bookings join busy_intervals busy on busy.ends_at > bookings.starts_at
  and busy.starts_at < bookings.ends_at
  join watched_calendars on watched_calendars.id = busy.calendar_id
  and (watched_calendars.artist_id is null or watched_calendars.artist_id = bookings.artist_id)
  where bookings.status = 'confirmed'
and bookings.date >= (select booking_now()::date - 2) and bookings.ends_at > booking_now()
  order by bookings.starts_at, bookings.id, busy.starts_at, busy.ends_at, busy.calendar_id;

-- listBusyIntervals
select calendar_id as "calendarId", label, artist_id as "artistId", starts_at as "startsAt", ends_at as "endsAt"
from busy_intervals join watched_calendars on id = calendar_id
where starts_at < to_timestamp($1::float8 / 1000)
  and ends_at > to_timestamp($2::float8 / 1000)
order by starts_at, ends_at, calendar_id;

-- listUnrecordedConflicts
  select bookings.id, bookings.starts_at
  from bookings join busy_intervals busy on busy.ends_at > bookings.starts_at
  and busy.starts_at < bookings.ends_at
  join watched_calendars on watched_calendars.id = busy.calendar_id
  and (watched_calendars.artist_id is null or watched_calendars.artist_id = bookings.artist_id)
  where bookings.status = 'confirmed'
and bookings.date >= (select booking_now()::date - 2) and bookings.starts_at > booking_now()
    and not exists (
      select from booking_conflicts
      where booking_id = bookings.id and booking_conflicts.starts_at = bookings.starts_at
    )
  group by bookings.id;
