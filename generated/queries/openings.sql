-- The statements of src/repositories/openings.ts. An argument that may be missing is given.

-- deleteOpenings
delete
from "openings"
where "date" = $1 and "time_slot" in $2
returning "time_slot";

-- insertOpenings
insert into "openings" ("date", "time_slot", "created_at")
values ($1, $2, booking_now());

-- listOpenings
select date, array_agg(time_slot::text order by time_slot::text::time) as sessions
from openings where date >= $1 group by date order by date;
