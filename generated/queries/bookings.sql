-- The statements of src/repositories/bookings.ts. An argument that may be missing is given.

-- findBookingByCheckoutToken
select * from "bookings" where "checkout_token_hash" = $1;

-- findBookingsOfBrowser
select * from bookings
where status = 'pending' and (checkout_token_hash = $1 or form_nonce_hash = any($2::bytea[]))
union all
select * from bookings
where status = 'confirmed' and date = $3
  and time_slot = $4 and form_nonce_hash = any($5::bytea[])
order by created_at desc;

-- findHoldByIdempotencyKey
select "held"."id", "held"."status", "held"."date", "held"."time_slot", "held"."starts_at_text", "held"."ends_at_text", "held"."artist_id", "held"."artist_name", "held"."timezone", "held"."label", "held"."created_at", "held"."expires_at", "held"."confirmed_at", "held"."cancelled_at", "held"."expired_at",
  events.data -> 'handover' as "handover", bookings.request_hash as "requestHash",
  bookings.checkout_token_sealed as "checkoutTokenSealed"
from bookings
  join events on events.booking_id = bookings.id and events.type = 'hold.created',
  jsonb_populate_record(null::bookings, events.data) as held
where bookings.idempotency_scope = any($1::bytea[])
  and bookings.idempotency_key = $2;

-- findPublicBookings
select "id", "status", "date", "time_slot", "starts_at_text", "ends_at_text", "artist_id", "artist_name", "timezone", "label", "created_at", "expires_at", "confirmed_at", "cancelled_at", "expired_at"
from "bookings"
where id = any($1::uuid[]);

-- insertConfirmed
  with moment as materialized (select booking_now() as now),
  lapsed as (
    update bookings set status = 'expired', expired_at = expires_at, sequence = sequence + 1
    -- Not a join: of those that are pending, the index has the few that have lapsed.
    where status = 'pending' and expires_at <= (select now from moment)
      and date between $1::date - 2 and $2::date + 2 and ((date = $3 and time_slot = $4) or (starts_at < $5::timestamptz
  and ends_at > $6::timestamptz))
    returning *
  ),
  lapsed_events as (
  insert into events (type, booking_id, occurred_at, data, trace_context)
  select 'hold.expired', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
  'artist_id', artist_id, 'artist_name', artist_name) end, $7::text
  from "lapsed"
  order by expires_at),
  after_expiry as (select count(*) from lapsed),
  booked as (
  select artist_id, bool_or((date = $8 and time_slot = $9)) as is_in_slot, bool_or(((date = $10 and time_slot = $11) or (starts_at < coalesce(($12::timestamptz[])[array_position($13::integer[], "artist_id")], $14::timestamptz)
  and ends_at > $15::timestamptz))) as is_around,
    count(*) filter (where date = $16::date) as sessions
  from bookings, moment
  where date between $17::date - 2 and $18::date + 2
    and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now))
  group by artist_id),
  fortnight as (
    select artist_id as busy_id, count(*) as sessions_near from bookings
    where (select count(*) from artists) > 1 and date between $19::date - 14 and $20::date + 14
      and status in ('pending', 'confirmed')
    group by artist_id
  ),
  artist as materialized (
    select id as artist_id, booked.is_around is true as may_overlap,
      coalesce(($21::timestamptz[])[array_position($22::integer[], "artists"."id")], $23::timestamptz) as session_ends_at,
      coalesce(($24::text[])[array_position($25::integer[], "artists"."id")], $26) as session_ends_at_text,
      case when (select count(*) from artists) > 1 then name end as artist_name
    from artists left join booked on artist_id = id
      left join fortnight on busy_id = id
    where true
          and booked.is_in_slot is not true and ($27::integer is null or id = $28)
      order by (not ((
  select $29 = any (sessions) from week_days
  where weekday = extract(isodow from $30::date) and (from_date is null or $31::date between from_date and to_date)
    and (week_days.artist_id is null or week_days.artist_id = "artists"."id")
  order by week_days.artist_id, from_date
  limit 1
) or exists (
  select from openings where openings.date = $32::date and openings.time_slot = $33
))
  or coalesce($34::date < first_day or $35::date > last_day, false) or exists (
  select from closures
  where from_date <= $36::date + 2 and to_date >= $37::date - 2 and (artist_id is null or artist_id = artists.id)
    and case when starts_at is null
      then from_date <= $38 and to_date >= $39
        and (time_slot is null or time_slot = $40)
      else starts_at < coalesce(($41::timestamptz[])[array_position($42::integer[], "artists"."id")], $43::timestamptz) and ends_at > $44::timestamptz end
) or exists (
  select from watched_calendars, lateral (
    select ends_at from busy_intervals
    where calendar_id = watched_calendars.id and starts_at < coalesce(($45::timestamptz[])[array_position($46::integer[], "artists"."id")], $47::timestamptz)
    order by starts_at desc limit 1
  ) as last_begun
  where ends_at > $48::timestamptz and (artist_id is null or artist_id = artists.id)
)), booked.is_around is true,  coalesce(sessions, 0), coalesce(sessions_near, 0),
  case when (select count(*) from artists) > 1 then (
    select max(created_at) from bookings
    where artist_id = artists.id and status in ('pending', 'confirmed')
  ) end nulls first,
  position, id
    limit 1
  ),
  added as (
    insert into bookings (
      status, date, time_slot, starts_at, starts_at_text, ends_at, ends_at_text, timezone, label,
      artist_id, may_overlap, artist_name, created_at, expires_at, confirmed_at, channel, confirmed_via,
      name, email, phone, pronouns, idea, language, checkout_token_hash, checkout_token_sealed
    )
    select 'confirmed', $49::date, $50, $51::timestamptz,
      $52, session_ends_at, session_ends_at_text,
      $53, $54 || coalesce(' with ' || artist.artist_name, ''), artist.artist_id, artist.may_overlap,
      artist.artist_name,
      moment.now, moment.now + make_interval(secs => $55), moment.now,
      'studio', 'studio',
      $56, $57, $58, $59, $60,
      $61, $62::bytea, $63::bytea
    from moment, after_expiry, artist
    on conflict do nothing
    returning *
  ),
  event as (
  insert into events (type, booking_id, occurred_at, data, trace_context)
  select 'booking.confirmed', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
  'artist_id', artist_id, 'artist_name', artist_name) end || jsonb_build_object('sequence', sequence, 'by', 'studio'), $64::text
  from "added"
  order by expires_at)
  select * from added;

-- listPendingHolds
select "id", "expires_at"
from "bookings"
where "status" = $1
order by "expires_at"
limit $2;

-- setLanguage
update "bookings"
set "language" = $1
where "id" = $2 and "name" is not null;
