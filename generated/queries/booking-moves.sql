-- The statements of src/repositories/booking-moves.ts. An argument that may be missing is given.

-- moveForPerson
begin;

select lock_slots($1);

  with moment as materialized (select booking_now() as now),
  lapsed as (
    update bookings set status = 'expired', expired_at = expires_at, sequence = sequence + 1
    -- Not a join: of those that are pending, the index has the few that have lapsed.
    where status = 'pending' and expires_at <= (select now from moment)
      and date between $1::date - 2 and $2::date + 2 and ((date = $3 and time_slot = $4) or (starts_at < $5::timestamptz
  and coalesce(ends_at, starts_at + interval '4 hours') > $6::timestamptz))
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
  select artist_id, bool_or((date = $8 and time_slot = $9)) as is_in_slot, bool_or(((date = $10 and time_slot = $11) or (starts_at < $12::timestamptz
  and coalesce(ends_at, starts_at + interval '4 hours') > $13::timestamptz))) as is_around,
    count(*) filter (where date = $14::date) as sessions
  from bookings, moment
  where date between $15::date - 2 and $16::date + 2
    and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now))
    and id <> $17::uuid
  group by artist_id),
  artist as materialized (
    select id as artist_id, false as may_overlap,
      case when (select count(*) from artists) > 1 then name end as artist_name
    from artists left join booked on artist_id = id
    where hidden_at is null and not (not (case when "artists"."has_own_week" then exists (
  select from artist_sessions
  where artist_id = "artists"."id"
    and weekday = extract(isodow from $18::date) and artist_sessions.time_slot = $19
) else exists (
  select from weekly_sessions
  where weekday = extract(isodow from $20::date) and weekly_sessions.time_slot = $21
) end or exists (
  select from openings where openings.date = $22::date and openings.time_slot = $23
)) or exists (
  select from closures
  where from_date <= $24 and to_date >= $25
    and (time_slot is null or time_slot = $26) and (artist_id is null or artist_id = artists.id)
) or exists (
  select from watched_calendars, lateral (
    select ends_at from busy_intervals
    where calendar_id = watched_calendars.id and starts_at < $27::timestamptz
    order by starts_at desc limit 1
  ) as last_begun
  where ends_at > $28::timestamptz and (artist_id is null or artist_id = artists.id)
)) and not booked.is_around is true and ($29::integer is null or id = $30)
    order by id = (select artist_id from bookings where id = $31::uuid) desc, coalesce(sessions, 0), position, id
    limit 1
  ),
  proof as materialized (
    select mails.id as code_id,
case when mails.status = 'sent' and mails.opened_at >= mails.ended_at
  then round(extract(epoch from mails.opened_at - mails.ended_at))::integer end as typed_after_seconds
    from mails, moment
    where booking_id = $32 and recipient = 'person' and kind = 'code'
      and browser_hash = $33::bytea and coalesce(
mails.opened_at > moment.now - make_interval(secs => 900), false)
  ),
  present as materialized (
    select id as present_id, date as from_date, time_slot as from_time_slot,
      starts_at_text as from_starts_at_text, artist_id as from_artist_id,
      artist_name as from_artist_name
    from bookings where id = $34
  ),
  moved as (
    update bookings
    set date = $35::date, time_slot = $36, starts_at = $37::timestamptz,
      starts_at_text = $38, ends_at = $39::timestamptz,
      ends_at_text = $40, timezone = $41, label = $42 || coalesce(' with ' || artist.artist_name, ''),
      artist_id = artist.artist_id, artist_name = artist.artist_name, may_overlap = artist.may_overlap,
      moved_at = moment.now, no_show_at = null, studio_word = $43,
code_proven_at = case when exists (select from proof) then moment.now else code_proven_at end,
  moves_while_pending = moves_while_pending + (status = 'pending')::integer,
  moves_once_confirmed = moves_once_confirmed
    + (status = 'confirmed' and closed_day_choice is distinct from 'asked')::integer,
      sequence = sequence + 1
    from moment, present, after_expiry, artist
    where id = present_id and sequence = $44
      and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now))
      and (date, time_slot, bookings.artist_id) is distinct from
        ($45::date, $46::time_slot, artist.artist_id)
      and case status
  when 'pending' then moves_while_pending < $47
  else starts_at > moment.now and (closed_day_choice = 'asked' or (
    moves_once_confirmed < $48
    and starts_at >= moment.now + make_interval(hours => $49))) end and (not exists (select from installation where name = $50::text) or exists (select from proof))
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
  (select typed_after_seconds from proof where exists (select from installation where name = $51::text) limit 1))) || jsonb_build_object('has_word', $52::boolean), $53::text
  from "moved"
  order by expires_at)
  select "id", "status", "date", "time_slot", "starts_at_text", "ends_at_text", "artist_id", "artist_name", "timezone", "label", "created_at", "expires_at", "confirmed_at", "cancelled_at", "expired_at", "starts_at", "ends_at", "sequence", "moved_at", "no_show_at" from moved;

commit;

-- moveForStudio
  with moment as materialized (select booking_now() as now),
  lapsed as (
    update bookings set status = 'expired', expired_at = expires_at, sequence = sequence + 1
    -- Not a join: of those that are pending, the index has the few that have lapsed.
    where status = 'pending' and expires_at <= (select now from moment)
      and date between $1::date - 2 and $2::date + 2 and ((date = $3 and time_slot = $4) or (starts_at < $5::timestamptz
  and coalesce(ends_at, starts_at + interval '4 hours') > $6::timestamptz))
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
  select artist_id, bool_or((date = $8 and time_slot = $9)) as is_in_slot, bool_or(((date = $10 and time_slot = $11) or (starts_at < $12::timestamptz
  and coalesce(ends_at, starts_at + interval '4 hours') > $13::timestamptz))) as is_around,
    count(*) filter (where date = $14::date) as sessions
  from bookings, moment
  where date between $15::date - 2 and $16::date + 2
    and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now))
    and id <> $17::uuid
  group by artist_id),
  artist as materialized (
    select id as artist_id, booked.is_around is true as may_overlap,
      case when (select count(*) from artists) > 1 then name end as artist_name
    from artists left join booked on artist_id = id
    where true and booked.is_in_slot is not true and ($18::integer is null or id = $19)
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
)), booked.is_around is true, id = (select artist_id from bookings where id = $31::uuid) desc, coalesce(sessions, 0), position, id
    limit 1
  ),
  proof as materialized (
    select mails.id as code_id,
case when mails.status = 'sent' and mails.opened_at >= mails.ended_at
  then round(extract(epoch from mails.opened_at - mails.ended_at))::integer end as typed_after_seconds
    from mails, moment
    where booking_id = $32 and recipient = 'person' and kind = 'code'
      and browser_hash = $33::bytea and coalesce(
mails.opened_at > moment.now - make_interval(secs => 900), false)
  ),
  present as materialized (
    select id as present_id, date as from_date, time_slot as from_time_slot,
      starts_at_text as from_starts_at_text, artist_id as from_artist_id,
      artist_name as from_artist_name
    from bookings where id = $34
  ),
  moved as (
    update bookings
    set date = $35::date, time_slot = $36, starts_at = $37::timestamptz,
      starts_at_text = $38, ends_at = $39::timestamptz,
      ends_at_text = $40, timezone = $41, label = $42 || coalesce(' with ' || artist.artist_name, ''),
      artist_id = artist.artist_id, artist_name = artist.artist_name, may_overlap = artist.may_overlap,
      moved_at = moment.now, no_show_at = null, studio_word = $43,
code_proven_at = case when exists (select from proof) then moment.now else code_proven_at end,
      sequence = sequence + 1
    from moment, present, after_expiry, artist
    where id = present_id and sequence = $44
      and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now))
      and (date, time_slot, bookings.artist_id) is distinct from
        ($45::date, $46::time_slot, artist.artist_id)
      and true and (not exists (select from installation where name = $47::text) or exists (select from proof))
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
  (select typed_after_seconds from proof where exists (select from installation where name = $48::text) limit 1))) || jsonb_build_object('has_word', $49::boolean), $50::text
  from "moved"
  order by expires_at)
  select "id", "status", "date", "time_slot", "starts_at_text", "ends_at_text", "artist_id", "artist_name", "timezone", "label", "created_at", "expires_at", "confirmed_at", "cancelled_at", "expired_at", "starts_at", "ends_at", "sequence", "moved_at", "no_show_at" from moved;
