-- The statements of src/repositories/retention.ts. An argument that may be missing is given.

-- readNightRecords
select timezone, booking_now() as now,
  (select value from installation where name = $1) as "carriedOut", (select value from installation where name = $2) as "heldAfter"
from studio;

-- readSettledInstant
select occurred_at from events
where occurred_at <= (select booking_now() - interval '1 day')
order by position desc limit 1;

-- recordHeldAfter
insert into installation (name, value) values ($1, $2)
on conflict (name) do update set value = excluded.value;

-- recordNight
with released as (delete from installation where name = $1)
insert into installation (name, value) values ($2, $3)
on conflict (name) do update set value = excluded.value;
