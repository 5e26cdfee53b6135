-- The statements of src/repositories/booking-moves.ts. An argument that may be missing is given.

-- moveForPerson
begin;

select lock_slots($1);

  with moment as materialized (select booking_now() as now),
  lapsed as (
    update bookings set status = 'expired', expired_at = expires_at, sequence = sequence + 1
    from moment
    where status = 'pending' and expires_at <= moment.now and "bookings"."date" between $1::date - 2 and $2::date + 2
  and (("bookings"."date" = $3 and "bookings"."time_slot" = $4)
    or ("bookings"."starts_at" < $5::timestamptz
      and coalesce("bookings"."ends_at", "bookings"."starts_at" + interval '4 hours')
        > $6::timestamptz))
    returning bookings.*
  ),
  lapsed_events as (
  insert into events (type, booking_id, occurred_at, data, trace_context)
  select 'hold.expired', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
  'artist_id', artist_id, 'artist_name', artist_name) end, $7::text
  from "lapsed"
  order by expires_at),
  after_expiry as (select count(*) from lapsed),
  artist as materialized (
    select id as artist_id, false as may_overlap,
      case when (select count(*) from artists) > 1 then name end as artist_name
    from artists, moment
    where hidden_at is null and not (not (case when "artists"."has_own_week" then exists (
  select from artist_sessions
  where artist_id = "artists"."id"
    and weekday = extract(isodow from $8::date) and artist_sessions.time_slot = $9
) else exists (
  select from weekly_sessions
  where weekday = extract(isodow from $10::date) and weekly_sessions.time_slot = $11
) end or exists (
  select from openings where openings.date = $12::date and openings.time_slot = $13
)) or exists (
  select from closures
  where from_date <= $14 and to_date >= $15
    and (time_slot is null or time_slot = $16) and (artist_id is null or artist_id = artists.id)
) or exists (
  select from watched_calendars, lateral (
    select ends_at from busy_intervals
    where calendar_id = watched_calendars.id and starts_at < $17::timestamptz
    order by starts_at desc limit 1
  ) as last_begun
  where ends_at > $18::timestamptz and (artist_id is null or artist_id = artists.id)
)) and not artists.id in (
  select other.artist_id from bookings other
  where (other.status = 'confirmed'
or (other.status = 'pending' and other.expires_at > moment.now)) and "other"."date" between $19::date - 2 and $20::date + 2
  and (("other"."date" = $21 and "other"."time_slot" = $22)
    or ("other"."starts_at" < $23::timestamptz
      and coalesce("other"."ends_at", "other"."starts_at" + interval '4 hours')
        > $24::timestamptz))
    and other.id <> $25::uuid) and ($26::integer is null or id = $27)
    order by id = (select artist_id from bookings where id = $28::uuid) desc, (
  select count(*) from bookings other
  where other.artist_id = artists.id and other.date = $29::date and (other.status = 'confirmed'
or (other.status = 'pending' and other.expires_at > moment.now))
), position, id
    limit 1
  ),
  proof as materialized (
    select mails.id as code_id,
case when mails.status = 'sent' and mails.opened_at >= mails.ended_at
  then round(extract(epoch from mails.opened_at - mails.ended_at))::integer end as typed_after_seconds
    from mails, moment
    where booking_id = $30 and recipient = 'person' and kind = 'code'
      and browser_hash = $31::bytea and coalesce(
mails.opened_at > moment.now - make_interval(secs => 900), false)
  ),
  present as materialized (
    select id as present_id, date as from_date, time_slot as from_time_slot,
      starts_at_text as from_starts_at_text, artist_id as from_artist_id,
      artist_name as from_artist_name
    from bookings where id = $32
  ),
  moved as (
    update bookings
    set date = $33::date, time_slot = $34, starts_at = $35::timestamptz,
      starts_at_text = $36, ends_at = $37::timestamptz,
      ends_at_text = $38, timezone = $39, label = $40 || coalesce(' with ' || artist.artist_name, ''),
      artist_id = artist.artist_id, artist_name = artist.artist_name, may_overlap = artist.may_overlap,
      moved_at = moment.now, no_show_at = null, studio_word = $41,
code_proven_at = case when exists (select from proof) then moment.now else code_proven_at end,
  moves_while_pending = moves_while_pending + (status = 'pending')::integer,
  moves_once_confirmed = moves_once_confirmed
    + (status = 'confirmed' and closed_day_choice is distinct from 'asked')::integer,
      sequence = sequence + 1
    from moment, present, after_expiry, artist
    where id = present_id and sequence = $42
      and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now))
      and (date, time_slot, bookings.artist_id) is distinct from
        ($43::date, $44::time_slot, artist.artist_id)
      and case status
  when 'pending' then moves_while_pending < $45
  else starts_at > moment.now and (closed_day_choice = 'asked' or (
    moves_once_confirmed < $46
    and starts_at >= moment.now + make_interval(hours => $47))) end and (not exists (select from installation where name = $48::text) or exists (select from proof))
    returning bookings.*, from_date, from_time_slot, from_starts_at_text, from_artist_id,
      from_artist_name
  ),
  spent as (
    update mails set used_at = moment.now from moment, proof
    where mails.id = code_id and used_at is null and exists (select from "moved")
  ),
  event as (
  insert into events (type, booking_id, occurred_at, data, trace_context)
  select 'booking.moved', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
  'artist_id', artist_id, 'artist_name', artist_name) end || jsonb_build_object('from', jsonb_build_object(
  'date', "from_date", 'time_slot', "from_time_slot",
  'starts_at', "from_starts_at_text") || case when "from_artist_name" is null then '{}' else jsonb_build_object(
  'artist_id', "from_artist_id", 'artist_name', "from_artist_name") end, 'to', jsonb_build_object(
  'date', "date", 'time_slot', "time_slot",
  'starts_at', "starts_at_text") || case when "artist_name" is null then '{}' else jsonb_build_object(
  'artist_id', "artist_id", 'artist_name', "artist_name") end) || jsonb_build_object('sequence', sequence, 'by', 'person') || jsonb_strip_nulls(jsonb_build_object(
  'code_typed_after_seconds',
  (select typed_after_seconds from proof where exists (select from installation where name = $49::text) limit 1))) || jsonb_build_object('has_word', $50::boolean), $51::text
  from "moved"
  order by expires_at)
  select "id", "status", "date", "time_slot", "starts_at_text", "ends_at_text", "artist_id", "artist_name", "timezone", "label", "created_at", "expires_at", "confirmed_at", "cancelled_at", "expired_at", "starts_at", "ends_at", "sequence", "moved_at", "no_show_at" from moved;

commit;

-- moveForStudio
  with moment as materialized (select booking_now() as now),
  lapsed as (
    update bookings set status = 'expired', expired_at = expires_at, sequence = sequence + 1
    from moment
    where status = 'pending' and expires_at <= moment.now and "bookings"."date" between $1::date - 2 and $2::date + 2
  and (("bookings"."date" = $3 and "bookings"."time_slot" = $4)
    or ("bookings"."starts_at" < $5::timestamptz
      and coalesce("bookings"."ends_at", "bookings"."starts_at" + interval '4 hours')
        > $6::timestamptz))
    returning bookings.*
  ),
  lapsed_events as (
  insert into events (type, booking_id, occurred_at, data, trace_context)
  select 'hold.expired', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
  'artist_id', artist_id, 'artist_name', artist_name) end, $7::text
  from "lapsed"
  order by expires_at),
  after_expiry as (select count(*) from lapsed),
  artist as materialized (
    select id as artist_id, artists.id in (
  select other.artist_id from bookings other
  where (other.status = 'confirmed'
or (other.status = 'pending' and other.expires_at > moment.now)) and "other"."date" between $8::date - 2 and $9::date + 2
  and (("other"."date" = $10 and "other"."time_slot" = $11)
    or ("other"."starts_at" < $12::timestamptz
      and coalesce("other"."ends_at", "other"."starts_at" + interval '4 hours')
        > $13::timestamptz))
    and other.id <> $14::uuid) as may_overlap,
      case when (select count(*) from artists) > 1 then name end as artist_name
    from artists, moment
    where true
          and id not in (
  select other.artist_id from bookings other
  where (other.status = 'confirmed'
or (other.status = 'pending' and other.expires_at > moment.now)) and ("other"."date" = $15 and "other"."time_slot" = $16)
    and other.id <> $17::uuid) and ($18::integer is null or id = $19)
    order by (not (case when "artists"."has_own_week" then exists (
  select from artist_sessions
  where artist_id = "artists"."id"
    and weekday = extract(isodow from $20::date) and artist_sessions.time_slot = $21
) else exists (
  select from weekly_sessions
  where weekday = extract(isodow from $22::date) and weekly_sessions.time_slot = $23
) end or exists (
  select from openings where openings.date = $24::date and openings.time_slot = $25
)) or exists (
  select from closures
  where from_date <= $26 and to_date >= $27
    and (time_slot is null or time_slot = $28) and (artist_id is null or artist_id = artists.id)
) or exists (
  select from watched_calendars, lateral (
    select ends_at from busy_intervals
    where calendar_id = watched_calendars.id and starts_at < $29::timestamptz
    order by starts_at desc limit 1
  ) as last_begun
  where ends_at > $30::timestamptz and (artist_id is null or artist_id = artists.id)
)), artists.id in (
  select other.artist_id from bookings other
  where (other.status = 'confirmed'
or (other.status = 'pending' and other.expires_at > moment.now)) and "other"."date" between $31::date - 2 and $32::date + 2
  and (("other"."date" = $33 and "other"."time_slot" = $34)
    or ("other"."starts_at" < $35::timestamptz
      and coalesce("other"."ends_at", "other"."starts_at" + interval '4 hours')
        > $36::timestamptz))
    and other.id <> $37::uuid), id = (select artist_id from bookings where id = $38::uuid) desc, (
  select count(*) from bookings other
  where other.artist_id = artists.id and other.date = $39::date and (other.status = 'confirmed'
or (other.status = 'pending' and other.expires_at > moment.now))
), position, id
    limit 1
  ),
  proof as materialized (
    select mails.id as code_id,
case when mails.status = 'sent' and mails.opened_at >= mails.ended_at
  then round(extract(epoch from mails.opened_at - mails.ended_at))::integer end as typed_after_seconds
    from mails, moment
    where booking_id = $40 and recipient = 'person' and kind = 'code'
      and browser_hash = $41::bytea and coalesce(
mails.opened_at > moment.now - make_interval(secs => 900), false)
  ),
  present as materialized (
    select id as present_id, date as from_date, time_slot as from_time_slot,
      starts_at_text as from_starts_at_text, artist_id as from_artist_id,
      artist_name as from_artist_name
    from bookings where id = $42
  ),
  moved as (
    update bookings
    set date = $43::date, time_slot = $44, starts_at = $45::timestamptz,
      starts_at_text = $46, ends_at = $47::timestamptz,
      ends_at_text = $48, timezone = $49, label = $50 || coalesce(' with ' || artist.artist_name, ''),
      artist_id = artist.artist_id, artist_name = artist.artist_name, may_overlap = artist.may_overlap,
      moved_at = moment.now, no_show_at = null, studio_word = $51,
code_proven_at = case when exists (select from proof) then moment.now else code_proven_at end,
      sequence = sequence + 1
    from moment, present, after_expiry, artist
    where id = present_id and sequence = $52
      and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now))
      and (date, time_slot, bookings.artist_id) is distinct from
        ($53::date, $54::time_slot, artist.artist_id)
      and true and (not exists (select from installation where name = $55::text) or exists (select from proof))
    returning bookings.*, from_date, from_time_slot, from_starts_at_text, from_artist_id,
      from_artist_name
  ),
  spent as (
    update mails set used_at = moment.now from moment, proof
    where mails.id = code_id and used_at is null and exists (select from "moved")
  ),
  event as (
  insert into events (type, booking_id, occurred_at, data, trace_context)
  select 'booking.moved', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
  'artist_id', artist_id, 'artist_name', artist_name) end || jsonb_build_object('from', jsonb_build_object(
  'date', "from_date", 'time_slot', "from_time_slot",
  'starts_at', "from_starts_at_text") || case when "from_artist_name" is null then '{}' else jsonb_build_object(
  'artist_id', "from_artist_id", 'artist_name', "from_artist_name") end, 'to', jsonb_build_object(
  'date', "date", 'time_slot', "time_slot",
  'starts_at', "starts_at_text") || case when "artist_name" is null then '{}' else jsonb_build_object(
  'artist_id', "artist_id", 'artist_name', "artist_name") end) || jsonb_build_object('sequence', sequence, 'by', 'studio') || jsonb_strip_nulls(jsonb_build_object(
  'code_typed_after_seconds',
  (select typed_after_seconds from proof where exists (select from installation where name = $56::text) limit 1))) || jsonb_build_object('has_word', $57::boolean), $58::text
  from "moved"
  order by expires_at)
  select "id", "status", "date", "time_slot", "starts_at_text", "ends_at_text", "artist_id", "artist_name", "timezone", "label", "created_at", "expires_at", "confirmed_at", "cancelled_at", "expired_at", "starts_at", "ends_at", "sequence", "moved_at", "no_show_at" from moved;
