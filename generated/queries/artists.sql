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
select artists.*,
  (select json_agg(jsonb_build_object(
'weekday', weekday, 'opens', opens, 'closes', closes, 'sessions', sessions) order by weekday) from week_days
    where artist_id = artists.id and from_date is null) as week,
  coalesce((
    select json_agg(jsonb_build_object(
'weekday', weekday, 'opens', opens, 'closes', closes, 'sessions', sessions) || jsonb_build_object('from_date', from_date, 'to_date', to_date)
      order by from_date, weekday)
    from week_days
    where artist_id = artists.id and to_date >= booking_now()::date - 2), '[]') as dated
from artists order by position, id;

-- nameInBookings
update bookings set artist_name = $1::text,
  label = left(label, length(label) - length(coalesce(' with ' || artist_name, '')))
    || ' with ' || $2::text
where artist_id = $3 and status in ('pending', 'confirmed');

-- updateArtist
update "artists"
set
where "id" = $1;
