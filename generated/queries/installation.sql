-- The statements of src/repositories/installation.ts. An argument that may be missing is given.

-- pingDatabase
select require_version($1);

-- readFormerAddress
with former as (
  select split_part(value, ' ', 2) as url,
    to_timestamp(split_part(value, ' ', 1)::double precision) as at
  from installation where name = 'former_base_url'
)
select url, at as "changedAt",
  (select count(*)::integer from bookings
    where created_at < at and starts_at > booking_now() and date >= booking_now()::date - 2
      and (status = 'confirmed' or status = 'pending' and expires_at > booking_now())) as bookings,
  (select count(*)::integer from calendar_feeds where created_at < at) as feeds,
  (select count(*)::integer from passkeys where created_at < at) as passkeys
from former where url <> $1;

-- readMode
select json_build_object(
  'mail', exists (select from installation where name = 'mail_on'),
  'confirmation', case when exists (select from installation where name = 'code_on') then 'code' else 'link' end) as mode;

-- readOriginMismatch
select split_part(value, ' ', 2) as origin from installation
where name = $1 and split_part(installation.value, ' ', 1)::numeric > extract(epoch from booking_now()) - $2::int;

-- readPublicBaseUrl
select * from "installation" where "name" = $1;

-- recordMode
insert into installation (name, value)
        values ($1, to_json(booking_now()) #>> '{}') on conflict do nothing;

select pg_notify('booking_events', $1);

-- recordOriginMismatch
insert into installation (name, value)
values ($1, extract(epoch from booking_now()) || ' ' || $2)
on conflict (name) do update set value = excluded.value where not split_part(installation.value, ' ', 1)::numeric > extract(epoch from booking_now()) - $3::int
returning name;

-- recordPublicBaseUrl
with former as (
  insert into installation (name, value)
  select 'former_base_url', extract(epoch from booking_now()) || ' ' || value
  from installation where name = 'public_base_url' and value <> $1
  on conflict (name) do update set value = excluded.value
)
insert into installation (name, value) values ('public_base_url', $2)
on conflict (name) do update set value = excluded.value
  where installation.value <> excluded.value;
