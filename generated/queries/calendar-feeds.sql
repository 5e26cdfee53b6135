-- The statements of src/repositories/calendar-feeds.ts. An argument that may be missing is given.

-- deleteFeed
delete
from "calendar_feeds"
where "id" = $1
returning "id", "label", "has_details", "artist_id", "created_at";

-- insertFeed
insert into "calendar_feeds" ("created_at")
values (booking_now())
returning "id", "label", "has_details", "artist_id", "created_at";

-- listFeeds
select "id", "label", "has_details", "artist_id", "created_at"
from "calendar_feeds"
order by "created_at" desc, "id";

-- lockCalendarFeeds
lock table calendar_feeds in share row exclusive mode;

-- readFeed
  select has_details as "hasDetails",
    (select coalesce(
        json_agg(json_build_object(
          'id', id, 'date', date, 'sequence', sequence, 'timezone', timezone, 'name', name,
          'phone', case when feed.has_details then phone end,
          'artistName', case when feed.artist_id is null then artist_name end,
          'startsAtText', starts_at_text,
          'endsAt', floor(extract(epoch from ends_at) * 1000),
          'changedAt', floor(extract(epoch from greatest(confirmed_at, moved_at, changed_at)) * 1000)
        ) order by starts_at, id),
        '[]')
      from bookings
      where status = 'confirmed' and date >= $1
        and (feed.artist_id is null or artist_id = feed.artist_id)) as sessions,
    (select coalesce(
        json_agg(json_build_object(
          'id', id, 'fromDate', from_date, 'toDate', to_date, 'timeSlot', time_slot,
          'startsAt', floor(extract(epoch from starts_at) * 1000),
          'endsAt', floor(extract(epoch from ends_at) * 1000),
          'artistName', case when feed.artist_id is null
            then (select name from artists where artists.id = closures.artist_id) end,
          'artistId', coalesce(artist_id, feed.artist_id),
          'reason', case when feed.has_details
            and (feed.artist_id is null or artist_id = feed.artist_id) then reason end,
          'createdAt', floor(extract(epoch from created_at) * 1000)
        ) order by from_date, to_date, starts_at, id),
        '[]')
      from closures
      where to_date >= $2 and from_date <= $3
        and (feed.artist_id is null or artist_id is null or artist_id = feed.artist_id)) as closures
  from calendar_feeds as feed where token_hash = $4 and (
artist_id is null or artist_id in (
  select artists.id from artists, studio
  where hidden_at is null
    and (last_day is null or last_day >= (booking_now() at time zone timezone)::date)));

-- updateFeedToken
update "calendar_feeds"
set "token_hash" = $1
where "id" = $2
returning "id", "label", "has_details", "artist_id", "created_at";
