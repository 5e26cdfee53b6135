-- The statements of src/repositories/studio-settings.ts. An argument that may be missing is given.

-- lockStudio
select *
from "studio" for update;

-- readOpeningHours
select *
from "opening_hours";

-- readStudio
select *
from "studio";

-- readWeek
select weekday, opens, closes, array(
  select time_slot::text from weekly_sessions
  where weekly_sessions.weekday = opening_hours.weekday
  order by time_slot::text::time
) as sessions
from opening_hours order by weekday;

-- replaceDay
update "opening_hours"
set "opens" = $1, "closes" = $2
where "weekday" = $3;

delete
from "weekly_sessions"
where "weekday" = $1;

insert into "weekly_sessions" ("weekday", "time_slot")
values ($1, $2);

-- updateStudio
update "studio"
set
returning *;
