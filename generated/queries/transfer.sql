-- The statements of src/repositories/transfer.ts. An argument that may be missing is given.

-- disableTimeouts
set local statement_timeout = 0;

set local idle_in_transaction_session_timeout = 0;

-- findConflict
select id, id = $1 as "isSame" from bookings
where id = $2 or (
  $3 in ('pending', 'confirmed') and status in ('pending', 'confirmed')
  and date = $4::date and time_slot = $5
  and ($6::text is null or artist_id = (select id from artists where slug = $7)))
order by 2 desc limit 1;

-- findOverlaps
update bookings set may_overlap = false
where may_overlap and not exists (
  select from bookings other
  where other.id <> bookings.id and other.status in ('pending', 'confirmed')
    and other.artist_id = bookings.artist_id
    and other.date between bookings.date - 2 and bookings.date + 2
    and other.ends_at > bookings.starts_at and other.starts_at < bookings.ends_at);

-- insertImported
insert into "bookings" ("id")
select "id"
from jsonb_populate_recordset(null::"bookings", $1::jsonb)
on conflict do nothing
returning "id"::text;

-- insertReminders
with reminded as materialized (
  select * from bookings
  where status = 'confirmed' and email is not null
    and starts_at - make_interval(hours => $1) > booking_now()
)
insert into events (type, booking_id, occurred_at, data, trace_context)
select 'booking.confirmed', id, confirmed_at, jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
'artist_id', artist_id, 'artist_name', artist_name) end || jsonb_build_object('sequence', sequence, 'by', case channel when 'studio' then 'studio' else 'person' end), $2::text
from "reminded"
order by expires_at;

with silenced as (
  update events set dispatched_at = booking_now() where booking_id is not null
  returning id, booking_id
),
unmailed as (delete from events_to_mail using silenced where event_id = silenced.id)
insert into mails
  (event_id, booking_id, kind, recipient, sequence, created_at, next_attempt_at)
select silenced.id, bookings.id, 'reminder', 'person', sequence, booking_now(),
  starts_at - make_interval(hours => $1)
from silenced join bookings on bookings.id = booking_id;

-- keepSessionsOfHidden
update bookings set closed_day_choice = 'kept'
where status in ('pending', 'confirmed') and closed_day_choice is null
  and date >= (select booking_now()::date - 2)
  and artist_id in (select id from artists where hidden_at is not null)
  and not exists (
    select from closures
    where from_date <= date and to_date >= date
      and (closures.artist_id is null or closures.artist_id = bookings.artist_id)
      and (closures.time_slot is null or closures.time_slot = bookings.time_slot));

-- listFilledTables
select name from (values
  ('bookings', exists (select from bookings)),
  ('closures', exists (select from closures)),
  ('openings', exists (select from openings)),
  ('studio_addresses', exists (select from studio_addresses)),
  ('studio', exists (select from audit_log where action = 'info set')),
  ('week_days', exists (select from audit_log where action = 'hours set')),
  ('artists', exists (select from artists where name <> '')
    or exists (select from week_days where artist_id is not null))
) as tables (name, is_filled)
where is_filled;

-- listLeftOut
select kind, count(*)::integer as count,
  coalesce(array_agg(name order by name) filter (where name is not null), '{}') as names
from (
  select 'watched calendar' as kind, label as name from watched_calendars
  union all select 'calendar feed', label from calendar_feeds
  union all select 'webhook', target_host from webhook_subscriptions where disabled_at is null
  union all select 'API key', null from api_keys where revoked_at is null
  union all select 'passkey', name from passkeys
  union all select 'platform', name from platforms
) as unexported group by kind order by kind;

-- raiseZoneVersions
insert into zone_data (timezone, version, recorded_at)
select timezone, version, booking_now()
from jsonb_to_recordset($1::jsonb) as known (timezone text, version text)
on conflict (timezone) do update
  set version = excluded.version, recorded_at = excluded.recorded_at
  where zone_data.version < excluded.version;

-- readLeftOut
select * from "installation" where "name" = $1;

-- readNow
select booking_now() as now;

-- readOtherAddresses
select *
from "studio_addresses"
order by "from_date";

-- readZoneVersions
select timezone, version from zone_data
where timezone in (select timezone from studio union select timezone from bookings)
order by timezone;

-- recordLeftOut
insert into installation (name, value) values ('left_out', $1)
on conflict (name) do update set value = excluded.value;

-- setClosedDayChoices
update bookings set closed_day_choice = chosen.closed_day_choice
from jsonb_to_recordset($1::jsonb) as chosen (
  id uuid, closed_day_choice text)
where bookings.id = chosen.id;

-- streamBookings
declare exported no scroll cursor for
      select bookings.*, slug as artist from bookings join artists on artists.id = artist_id
      order by created_at, bookings.id;

fetch 1000
from exported;

close exported;

-- streamClosures
declare exported no scroll cursor for
      select closures.*, slug as artist from closures left join artists on artists.id = artist_id
      order by from_date, to_date, created_at, closures.id;

fetch 1000
from exported;

close exported;

-- streamOpenings
declare exported no scroll cursor for select *
from openings
order by date, time_slot::text::time;

fetch 1000
from exported;

close exported;

-- withSnapshot
set local statement_timeout = 0;

set local idle_in_transaction_session_timeout = 0;
