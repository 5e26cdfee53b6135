-- The statements of src/repositories/zone-data.ts. An argument that may be missing is given.

-- changeInstants
with moment as materialized (select booking_now() as now),
present as materialized (
  select bookings.id as present_id, bookings.starts_at_text as from_starts_at_text,
    instant."startsAtText", instant."endsAtText"
  from bookings join jsonb_to_recordset($1::jsonb) as instant (
      id uuid, sequence integer, "startsAtText" text, "endsAtText" text)
    on instant.id = bookings.id and instant.sequence = bookings.sequence
  where bookings.id = any($2::uuid[])
    and (status = 'confirmed' or (status = 'pending' and expires_at > (select now from moment)))
  for no key update of bookings skip locked
),
changed as (
  update bookings
  set starts_at = "startsAtText"::timestamptz, starts_at_text = "startsAtText",
    ends_at = "endsAtText"::timestamptz, ends_at_text = "endsAtText",
    zone_data_version = $3, may_overlap = true, sequence = sequence + 1, quiet_changes = quiet_changes + 1
  from present where id = present_id
  returning bookings.*, from_starts_at_text
),
event as (
insert into events (type, booking_id, occurred_at, data, trace_context)
select 'booking.retimed', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
'artist_id', artist_id, 'artist_name', artist_name) end || jsonb_build_object('sequence', sequence, 'by', 'service') || jsonb_build_object('is_quiet', false) || jsonb_build_object(
'from', jsonb_build_object(
'date', date, 'time_slot', time_slot, 'starts_at', "from_starts_at_text"), 'to', jsonb_build_object(
'date', date, 'time_slot', time_slot, 'starts_at', "starts_at_text")), $4::text
from "changed"
order by expires_at)
select count(*)::integer as count from changed;

-- readZoneRecords
with upcoming as materialized (
  select * from bookings
  where date >= (select booking_now()::date - 2) and starts_at > booking_now()
    and (status = 'confirmed' or (status = 'pending' and expires_at > booking_now()))
),
zones as (select timezone from studio union select timezone from upcoming)
select zones.timezone, zone_data.version,
  coalesce(
    json_agg(json_build_object(
      'id', id, 'sequence', sequence, 'date', date, 'timeSlot', time_slot,
      'startsAtText', starts_at_text, 'endsAtText', ends_at_text, 'version', zone_data_version
    ) order by starts_at, id) filter (where id is not null),
    '[]') as bookings
from zones left join zone_data using (timezone) left join upcoming using (timezone)
group by zones.timezone, zone_data.version
order by zones.timezone;

-- recordZoneData
insert into zone_data (timezone, version, recorded_at)
select timezone, $1, booking_now() from unnest($2::text[]) as timezone
on conflict (timezone) do update
  set version = excluded.version, recorded_at = excluded.recorded_at;
