-- The statements of src/repositories/caps.ts. An argument that may be missing is given.

-- exceedsArtistCap
  with moment as materialized (select booking_now() as now)
  select from bookings where id = $1 and (coalesce((
  select count(*) from bookings other
  where status = 'pending' and expires_at > (select now from moment) and is_artist_chosen
    and artist_id = $2::integer
    and date between $3::date and $4::date and
  other.id <> bookings.id and other.caller_network_hash = bookings.caller_network_hash
) >= $5::integer, false) and not (
  bookings.is_artist_chosen and bookings.artist_id = $6::integer
  and bookings.date between $7::date and $8::date));

-- findCallersAtCap
with moment as materialized (select booking_now() as now),
placed as materialized (
  select caller_network_hash, api_key_id, platform from bookings, moment
  where status in ('pending', 'confirmed') and channel is distinct from 'studio'
and case status when 'pending' then expires_at
  else starts_at + make_interval(hours => $1) end > moment.now and created_at > moment.now - interval '24 hours'
),
networks as (
  select caller_network_hash from placed
  where caller_network_hash is not null and platform is null
  group by caller_network_hash having count(*) >= $2
),
keys as (
  select api_key_id from placed where api_key_id is not null
  group by api_key_id having count(*) >= $3
)
select (select count(*)::integer from networks) as addresses,
  (select coalesce(array_agg(api_key_id::text order by api_key_id), '{}') from keys) as "apiKeyIds";

-- secondsUntilPlaceIsFree
with moment as materialized (select booking_now() as now),
pending as (
  select expires_at, caller_network_hash, api_key_id, platform from bookings, moment
  where status = 'pending' and expires_at > moment.now
),
of_network as (
  select expires_at from pending
  where caller_network_hash = any($1::bytea[])
),
free_at as (
  (select expires_at from pending
    order by expires_at desc offset $2 limit 1)
  union all
  (select least(expires_at, (select max(expires_at) from of_network)) from pending
    where exists (select from of_network)
      or cardinality($3::bytea[]) = 0
    order by expires_at desc offset $4 limit 1)
  union all
  (select expires_at from of_network
    order by expires_at desc offset $5 limit 1)
  union all
  (select expires_at from pending where api_key_id = $6
    order by expires_at desc offset $7 limit 1)
  union all
  (select expires_at from pending where platform = $8
    order by expires_at desc offset $9 limit 1)
)
select ceil(extract(epoch from max(expires_at) - (select now from moment)))::integer as seconds
from free_at;
