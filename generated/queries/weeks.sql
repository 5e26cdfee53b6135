-- The statements of src/repositories/weeks.ts. An argument that may be missing is given.

-- deleteDay
delete
from "week_days"
where "artist_id" is not distinct
from $1 and "weekday" = $2 and "from_date" is not distinct
from $3 and "to_date" is not distinct
from $4;

-- listDatedDays
select "weekday", "from_date", "to_date", "opens", "closes", "sessions"
from "week_days"
where "artist_id" is not distinct
from $1 and "to_date" >= $2
order by "from_date", "weekday";

-- readWeek
select "weekday", "from_date", "to_date", "opens", "closes", "sessions"
from "week_days"
where "artist_id" is not distinct
from $1 and "from_date" is null
order by "from_date", "weekday";

-- replaceDay
delete
from "week_days"
where "artist_id" is not distinct
from $1 and "weekday" = $2 and "from_date" is not distinct
from $3 and "to_date" is not distinct
from $4;

insert into "week_days" ("artist_id", "weekday", "from_date", "to_date", "opens", "closes", "sessions")
values ($1, $2, $3, $4, $5, $6, $7);
