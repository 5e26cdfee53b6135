-- The statements of src/repositories/console-visits.ts. An argument that may be missing is given.

-- findVisitBefore
select "before_at"
from "console_visits"
where "name" = $1;

-- recordVisit
delete from console_visits
where seen_at < booking_now() - make_interval(days => $1);

insert into console_visits as visit (name, seen_at) values ($1, booking_now())
on conflict (name) do update set
  before_at = case
    when visit.seen_at < booking_now() - make_interval(mins => $2)
      then visit.seen_at else visit.before_at end,
  seen_at = booking_now()
returning before_at;
