-- The statements of src/repositories/platforms.ts. An argument that may be missing is given.

-- announcePlatforms
select pg_notify($1, '');

-- deletePlatform
delete from "platforms" where "name" = $1
returning *;

-- findOverlap
select name, present::text as range
from platforms, unnest(ranges) as present, unnest($1::cidr[]) as wanted
where name <> $2 and present && wanted
limit 1;

-- findPlatform
select * from "platforms" where "name" = $1;

-- insertPlatform
insert into "platforms" ("created_at")
values (booking_now())
returning *;

-- listPlatforms
select *
from "platforms"
order by "name";

-- lockPlatforms
lock table platforms in share row exclusive mode;

-- readPlatformUse
with moment as materialized (select booking_now() as now),
placed as materialized (
  select platform, status, expires_at from bookings, moment
  where platform in (select name from platforms)
    and status in ('pending', 'confirmed') and channel is distinct from 'studio'
and case status when 'pending' then expires_at
  else starts_at + make_interval(hours => $1) end > moment.now and created_at > moment.now - interval '24 hours'
)
select name,
  (select count(*)::integer from placed where platform = name and status = 'pending')
    as "pendingHolds",
  (select count(*)::integer from placed where platform = name) as "liveBookings"
from platforms order by name;

-- updatePlatform
update "platforms"
set
where "name" = $1
returning *;
