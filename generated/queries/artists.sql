-- The statements of src/repositories/artists.ts. An argument that may be missing is given.

-- giveCalendarsTo
update "watched_calendars"
set "artist_id" = $1
where "artist_id" is null;

-- insertArtist
insert into "artists" ("position")
values ((select max(position) + 1
from artists));

-- listArtists
select artists.*, case when has_own_week then (
  select json_agg(json_build_object('weekday', weekday, 'sessions', array(
    select time_slot::text from artist_sessions
    where artist_id = artists.id and artist_sessions.weekday = opening_hours.weekday
    order by time_slot::text::time)) order by weekday)
  from opening_hours) end as week
from artists order by position, id;

-- nameInBookings
update bookings set artist_name = $1::text,
  label = left(label, length(label) - length(coalesce(' with ' || artist_name, '')))
    || ' with ' || $2::text
where artist_id = $3 and status in ('pending', 'confirmed');

-- replaceArtistWeek
update "artists"
set "has_own_week" = $1
where "id" = $2;

delete
from "artist_sessions"
where "artist_id" = $1;

insert into "artist_sessions" ("artist_id", "weekday", "time_slot")
values ($1, $2, $3);

-- updateArtist
update "artists"
set
where "id" = $1;
