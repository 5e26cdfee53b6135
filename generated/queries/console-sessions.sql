-- The statements of src/repositories/console-sessions.ts. An argument that may be missing is given.

-- deleteOldVisits
delete from console_visits
where seen_at < booking_now() - make_interval(days => 90);

-- deleteSessionOf
delete from "console_sessions" where "session_hash" = $1
returning *;

-- deleteSessions
delete
from "console_sessions"
where "id" in $1
returning *;

-- deleteSessionsOfArtist
delete
from "console_links"
where "artist_id" = $1;

delete
from "console_sessions"
where "artist_id" = $1;

-- findSession
  with found as (
    select * from console_sessions where session_hash = $1 and (
last_seen_at > booking_now() - interval '12 hours'
and signed_in_at > booking_now() - interval '30 days' and (
artist_id is null or artist_id in (
  select artists.id from artists, studio
  where hidden_at is null
    and (last_day is null or last_day >= (booking_now() at time zone timezone)::date))))
  ),
  seen as (
    update console_sessions set last_seen_at = booking_now()
    from found
    where console_sessions.id = found.id and $2
      and found.last_seen_at < booking_now() - interval '1 minute'
  )
  select * from found;

-- findVisitBefore
select * from "console_visits" where "name" = $1;

-- insertLink
delete
from console_links
where expires_at <= booking_now();

insert into "console_links" ("token_hash", "created_at", "expires_at")
values ($1, booking_now(), booking_now() + make_interval(mins => $2))
returning "expires_at";

-- insertSession
delete from console_sessions where not (
  last_seen_at > booking_now() - interval '12 hours'
  and signed_in_at > booking_now() - interval '30 days' and (
  artist_id is null or artist_id in (
    select artists.id from artists, studio
    where hidden_at is null
      and (last_day is null or last_day >= (booking_now() at time zone timezone)::date))));

insert into "console_sessions" ("signed_in_at", "last_seen_at")
values (booking_now(), booking_now())
returning *;

-- isRecentSignIn
  select from console_sessions
  where id = $1 and (
last_seen_at > booking_now() - interval '12 hours'
and signed_in_at > booking_now() - interval '30 days' and (
artist_id is null or artist_id in (
  select artists.id from artists, studio
  where hidden_at is null
    and (last_day is null or last_day >= (booking_now() at time zone timezone)::date)))) and signed_in_at > booking_now() - interval '10 minutes'
  for key share;

-- listSessions
select * from "console_sessions" where (
  last_seen_at > booking_now() - interval '12 hours'
  and signed_in_at > booking_now() - interval '30 days' and (
  artist_id is null or artist_id in (
    select artists.id from artists, studio
    where hidden_at is null
      and (last_day is null or last_day >= (booking_now() at time zone timezone)::date)))) and "artist_id" = $1 order by "signed_in_at" desc, "id";

-- recordVisit
insert into console_visits as visit (name, seen_at) values ($1, booking_now())
on conflict (name) do update set
  before_at = case
    when visit.seen_at < booking_now() - make_interval(mins => $2)
      then visit.seen_at else visit.before_at end,
  seen_at = booking_now()
returning before_at;

-- takeLink
delete from "console_links" where "token_hash" = $1 and "expires_at" > booking_now() and (
  artist_id is null or artist_id in (
    select artists.id from artists, studio
    where hidden_at is null
      and (last_day is null or last_day >= (booking_now() at time zone timezone)::date))) returning "name", "artist_id";
