-- The statements of src/repositories/studio-settings.ts. An argument that may be missing is given.

-- deleteAddress
delete
from "studio_addresses"
where "from_date" = $1;

-- insertAddress
insert into "studio_addresses" ("from_date")
values ($1)
on conflict ("from_date") do update
set;

-- lockStudio
select *
from "studio" for update;

-- readAddresses
select (
  select json_agg(row_to_json(address) order by from_date) from (
    select from_date, street, city, region, postal_code, country from studio_addresses
    union all
    select coalesce(address_from, '0001-01-01'), street, city, region, postal_code, country from studio
  ) as address) as addresses;

-- readOpeningHours
select *
from "week_days";

-- readStudio
select *
from "studio";

-- recordNewPlaces
with changed as (
  update bookings
  set sequence = sequence + 1, quiet_changes = quiet_changes + 1
  where id = any($1::uuid[]) and status in ('pending', 'confirmed')
  returning *
)
insert into events (type, booking_id, occurred_at, data, trace_context)
select 'booking.readdressed', id, booking_now(), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
'artist_id', artist_id, 'artist_name', artist_name) end || jsonb_build_object('sequence', sequence, 'by', 'studio') || jsonb_build_object('is_quiet', false), $2::text
from "changed"
order by expires_at;

-- replaceAddress
insert into studio_addresses
select coalesce(address_from, '0001-01-01'), street, city, region, postal_code, country from studio
where coalesce(address_from, '0001-01-01') < $1::date
on conflict do nothing;

delete
from "studio_addresses"
where "from_date" = $1;

update "studio"
set "address_from" = $1;

-- updateStudio
update "studio"
set
returning *;
