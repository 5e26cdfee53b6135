-- The statements of src/repositories/closures.ts. An argument that may be missing is given.

-- deleteClosure
delete from closures
where id = $1 and ($2::integer is null or artist_id = $3)
returning *;

-- findClosure
select * from "closures" where "id" = $1;

-- findSameClosure
select *
from "closures"
where "from_date" = $1 and "to_date" = $2 and "time_slot" is not distinct
from $3 and "artist_id" is not distinct
from $4 and "from_time" is not distinct
from $5 and "to_time" is not distinct
from $6;

-- insertClosure
insert into closures (from_date, to_date, time_slot, reason, artist_id, created_at,
  from_time, to_time, starts_at, ends_at)
select "fromDate", "toDate", "timeSlot", reason, "artistId", booking_now(),
  hours ->> 'from', hours ->> 'to', to_timestamp((added.interval ->> 'startsAt')::bigint / 1000.0), to_timestamp((added.interval ->> 'endsAt')::bigint / 1000.0)
from jsonb_to_recordset($1::jsonb) as added(
  "fromDate" date, "toDate" date, "timeSlot" time_slot, reason text, "artistId" integer,
  hours jsonb, interval jsonb)
returning *;

-- insertClosures
insert into closures (from_date, to_date, time_slot, reason, artist_id, created_at,
  from_time, to_time, starts_at, ends_at)
select "fromDate", "toDate", "timeSlot", reason, "artistId", booking_now(),
  hours ->> 'from', hours ->> 'to', to_timestamp((added.interval ->> 'startsAt')::bigint / 1000.0), to_timestamp((added.interval ->> 'endsAt')::bigint / 1000.0)
from jsonb_to_recordset($1::jsonb) as added(
  "fromDate" date, "toDate" date, "timeSlot" time_slot, reason text, "artistId" integer,
  hours jsonb, interval jsonb)
returning *;

-- listBlocks
select *
from "closures"
where "from_date" >= $1 and "from_date" <= $2 and "starts_at" is not null
order by "starts_at", "ends_at", "created_at";

-- listClosures
select *
from "closures"
where "to_date" >= $1
order by "from_date", "to_date", "from_time", "created_at";

-- listDecidedWithClosure
select * from "bookings" where "id" in (
    select jsonb_array_elements_text(
      coalesce(details -> 'decided_bookings', details -> 'cancelled_bookings'))::uuid
    from audit_log
    where action = 'closures add'
      and details @> $1::jsonb) order by "date", "starts_at";

-- updateIntervals
update closures set starts_at = to_timestamp((added.interval ->> 'startsAt')::bigint / 1000.0), ends_at = to_timestamp((added.interval ->> 'endsAt')::bigint / 1000.0)
from jsonb_to_recordset($1::jsonb) as added(id uuid, interval jsonb)
where closures.id = added.id;
