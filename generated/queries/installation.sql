-- The statements of src/repositories/installation.ts. An argument that may be missing is given.

-- pingDatabase
select require_version($1);

-- readFormerAddresses
with former as (
  select value as url, until, lag(until, 1, '-infinity') over (order by until) as since
  from installation, to_timestamp(split_part(name, ' ', 2)::double precision) as until
  where name like 'former\_base\_url %'
)
select url, max(until)::date::text as until,
  (max(until)::date + $1::integer)::text as "forgottenOn",
  sum((select count(*) from bookings
    where created_at >= since and created_at < until
      and starts_at > booking_now() and date >= booking_now()::date - 2
      and (status = 'confirmed' or status = 'pending' and expires_at > booking_now())
  ))::integer as bookings,
  sum((select count(*) from calendar_feeds
    where created_at >= since and created_at < until))::integer as feeds,
  sum((select count(*) from passkeys
    where created_at >= since and created_at < until))::integer as passkeys
from former where url <> $2
group by url
having max(until)::date + $3::integer > booking_now()::date
order by max(until) desc;

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
  select 'former_base_url ' || extract(epoch from booking_now()), value
  from installation where name = 'public_base_url' and value <> $1
  on conflict do nothing
)
insert into installation (name, value) values ('public_base_url', $2)
on conflict (name) do update set value = excluded.value
  where installation.value <> excluded.value;
