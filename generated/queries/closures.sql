-- The statements of src/repositories/closures.ts. An argument that may be missing is given.

-- deleteClosure
delete from "closures" where "id" = $1
returning *;

-- findClosure
select * from "closures" where "id" = $1;

-- findSameClosure
select *
from "closures"
where "from_date" = $1 and "to_date" = $2 and "time_slot" is not distinct
from $3 and "artist_id" is not distinct
from $4;

-- insertClosure
insert into closures (from_date, to_date, time_slot, reason, artist_id, created_at)
select "fromDate", "toDate", "timeSlot", reason, "artistId", booking_now()
from jsonb_to_recordset($1::jsonb) as added(
  "fromDate" date, "toDate" date, "timeSlot" time_slot, reason text, "artistId" integer)
returning *;

-- insertClosures
insert into closures (from_date, to_date, time_slot, reason, artist_id, created_at)
select "fromDate", "toDate", "timeSlot", reason, "artistId", booking_now()
from jsonb_to_recordset($1::jsonb) as added(
  "fromDate" date, "toDate" date, "timeSlot" time_slot, reason text, "artistId" integer)
returning *;

-- listClosures
select *
from "closures"
where "to_date" >= $1
order by "from_date", "to_date", "created_at";

-- listDecidedWithClosure
select * from "bookings" where "id" in (
    select jsonb_array_elements_text(
      coalesce(details -> 'decided_bookings', details -> 'cancelled_bookings'))::uuid
    from audit_log
    where action = 'closures add'
      and details @> $1::jsonb) order by "date", "starts_at";
