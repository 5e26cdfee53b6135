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
    and id <> $19::uuid
  group by artist_id),
  fortnight as (
    select artist_id as busy_id, count(*) as sessions_near from bookings
    where (select count(*) from artists) > 1 and date between $20::date - 14 and $21::date + 14
      and status in ('pending', 'confirmed') and id <> $22::uuid
    group by artist_id
  ),
  artist as materialized (
    select id as artist_id, false as may_overlap,
      coalesce(($23::timestamptz[])[array_position($24::integer[], "artists"."id")], $25::timestamptz) as session_ends_at,
      coalesce(($26::text[])[array_position($27::integer[], "artists"."id")], $28) as session_ends_at_text,
      case when (select count(*) from artists) > 1 then name end as artist_name
    from artists left join booked on artist_id = id
      left join fortnight on busy_id = id
    where hidden_at is null and not (not ((
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
)) and not booked.is_around is true and ($49::integer is null or id = $50)
      order by id = (select artist_id from bookings where id = $51::uuid) desc, coalesce(sessions, 0), coalesce(sessions_near, 0),
  case when (select count(*) from artists) > 1 then (
    select max(created_at) from bookings
    where artist_id = artists.id and status in ('pending', 'confirmed') and id <> $52::uuid
  ) end nulls first,
  position, id
    limit 1
  ),
  proof as materialized (
    select mails.id as code_id,
case when mails.status = 'sent' and mails.opened_at >= mails.ended_at
  then round(extract(epoch from mails.opened_at - mails.ended_at))::integer end as typed_after_seconds
    from mails, moment
    where booking_id = $53 and recipient = 'person' and kind = 'code'
      and browser_hash = $54::bytea and coalesce(
mails.opened_at > moment.now - make_interval(secs => 900), false)
  ),
  own as materialized (
    select id as own_id, date as own_date, starts_at as own_starts_at,
      ends_at as own_ends_at,
      name as own_name, email as own_email, phone as own_phone,
      caller_network_hash as own_network_hash, api_key_id as own_api_key_id
    from bookings where id = $55
  ),
  elsewhere as materialized (
    select date, time_slot as "timeSlot", artist_name as "artistName" from bookings, moment, own
    where (select count(*) from artists) > 1 and date between $56::date - 2 and $57::date + 2
  and starts_at < (select session_ends_at from artist)::timestamptz
  and ends_at > $58::timestamptz
  and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now)) and id <> own_id and (
      ((caller_network_hash = own_network_hash or api_key_id = own_api_key_id) and ((canonical_mailbox(email) = canonical_mailbox(own_email) or (phone = own_phone and not exists (select from installation where name = 'code_on')))
  and translate(fold_letters(name), ' .-', '') = translate(fold_letters(own_name), ' .-', '')))
      or (exists (select from proof) and (code_proven_at is not null or confirmed_via in ('code', 'studio')) and canonical_mailbox(email) = canonical_mailbox(own_email) and translate(fold_letters(name), ' .-', '') = translate(fold_letters(own_name), ' .-', '')))
    limit 1
  ),
  present as materialized (
    select id as present_id, date as from_date, time_slot as from_time_slot,
      starts_at_text as from_starts_at_text, artist_id as from_artist_id,
      artist_name as from_artist_name
    from bookings where id = $59
  ),
  moved as (
    update bookings
    set date = $60::date, time_slot = $61, starts_at = $62::timestamptz,
      starts_at_text = $63, ends_at = session_ends_at,
      ends_at_text = session_ends_at_text, timezone = $64, label = $65 || coalesce(' with ' || artist.artist_name, ''),
      artist_id = artist.artist_id, artist_name = artist.artist_name, may_overlap = artist.may_overlap,
      moved_at = moment.now, no_show_at = null, studio_word = $66,
code_proven_at = case when exists (select from proof) then moment.now else code_proven_at end,
  is_artist_chosen = (coalesce($67::integer <> bookings.artist_id, false)
  or (bookings.is_artist_chosen and bookings.artist_id = artist.artist_id)),
  moves_while_pending = moves_while_pending + (status = 'pending')::integer,
  moves_once_confirmed = moves_once_confirmed
    + (status = 'confirmed' and closed_day_choice is distinct from 'asked')::integer,
      sequence = sequence + 1
    from moment, present, after_expiry, artist
    where id = present_id and sequence = $68
      and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now))
      and (date, time_slot, bookings.artist_id) is distinct from
        ($69::date, $70::time_slot, artist.artist_id)
      and not exists (select from elsewhere) and case status
  when 'pending' then moves_while_pending < $71 and not (
    (coalesce($72::integer <> bookings.artist_id, false)
  or (bookings.is_artist_chosen and bookings.artist_id = artist.artist_id)) and (coalesce((
  select count(*) from bookings other
  where status = 'pending' and expires_at > (select now from moment) and is_artist_chosen
    and artist_id = $73::integer
    and date between $74::date and $75::date and
  other.id <> bookings.id and other.caller_network_hash = bookings.caller_network_hash
) >= $76::integer, false) and not (
  bookings.is_artist_chosen and bookings.artist_id = $77::integer
  and bookings.date between $78::date and $79::date)))
  else starts_at > moment.now and (closed_day_choice = 'asked' or (
    moves_once_confirmed < $80
    and starts_at >= moment.now + make_interval(hours => $81))) end and (not exists (select from installation where name = $82::text) or exists (select from proof))
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
  (select typed_after_seconds from proof where exists (select from installation where name = $83::text) limit 1))) || jsonb_build_object('has_word', $84::boolean), $85::text
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
    and id <> $19::uuid
  group by artist_id),
  fortnight as (
    select artist_id as busy_id, count(*) as sessions_near from bookings
    where (select count(*) from artists) > 1 and date between $20::date - 14 and $21::date + 14
      and status in ('pending', 'confirmed') and id <> $22::uuid
    group by artist_id
  ),
  artist as materialized (
    select id as artist_id, booked.is_around is true as may_overlap,
      coalesce(($23::timestamptz[])[array_position($24::integer[], "artists"."id")], $25::timestamptz) as session_ends_at,
      coalesce(($26::text[])[array_position($27::integer[], "artists"."id")], $28) as session_ends_at_text,
      case when (select count(*) from artists) > 1 then name end as artist_name
    from artists left join booked on artist_id = id
      left join fortnight on busy_id = id
    where true
          and booked.is_in_slot is not true and ($29::integer is null or id = $30)
      order by (not ((
  select $31 = any (sessions) from week_days
  where weekday = extract(isodow from $32::date) and (from_date is null or $33::date between from_date and to_date)
    and (week_days.artist_id is null or week_days.artist_id = "artists"."id")
  order by week_days.artist_id, from_date
  limit 1
) or exists (
  select from openings where openings.date = $34::date and openings.time_slot = $35
))
  or coalesce($36::date < first_day or $37::date > last_day, false) or exists (
  select from closures
  where from_date <= $38::date + 2 and to_date >= $39::date - 2 and (artist_id is null or artist_id = artists.id)
    and case when starts_at is null
      then from_date <= $40 and to_date >= $41
        and (time_slot is null or time_slot = $42)
      else starts_at < coalesce(($43::timestamptz[])[array_position($44::integer[], "artists"."id")], $45::timestamptz) and ends_at > $46::timestamptz end
) or exists (
  select from watched_calendars, lateral (
    select ends_at from busy_intervals
    where calendar_id = watched_calendars.id and starts_at < coalesce(($47::timestamptz[])[array_position($48::integer[], "artists"."id")], $49::timestamptz)
    order by starts_at desc limit 1
  ) as last_begun
  where ends_at > $50::timestamptz and (artist_id is null or artist_id = artists.id)
)), booked.is_around is true, id = (select artist_id from bookings where id = $51::uuid) desc, coalesce(sessions, 0), coalesce(sessions_near, 0),
  case when (select count(*) from artists) > 1 then (
    select max(created_at) from bookings
    where artist_id = artists.id and status in ('pending', 'confirmed') and id <> $52::uuid
  ) end nulls first,
  position, id
    limit 1
  ),
  proof as materialized (
    select mails.id as code_id,
case when mails.status = 'sent' and mails.opened_at >= mails.ended_at
  then round(extract(epoch from mails.opened_at - mails.ended_at))::integer end as typed_after_seconds
    from mails, moment
    where booking_id = $53 and recipient = 'person' and kind = 'code'
      and browser_hash = $54::bytea and coalesce(
mails.opened_at > moment.now - make_interval(secs => 900), false)
  ),
  present as materialized (
    select id as present_id, date as from_date, time_slot as from_time_slot,
      starts_at_text as from_starts_at_text, artist_id as from_artist_id,
      artist_name as from_artist_name
    from bookings where id = $55
  ),
  moved as (
    update bookings
    set date = $56::date, time_slot = $57, starts_at = $58::timestamptz,
      starts_at_text = $59, ends_at = session_ends_at,
      ends_at_text = session_ends_at_text, timezone = $60, label = $61 || coalesce(' with ' || artist.artist_name, ''),
      artist_id = artist.artist_id, artist_name = artist.artist_name, may_overlap = artist.may_overlap,
      moved_at = moment.now, no_show_at = null, studio_word = $62,
code_proven_at = case when exists (select from proof) then moment.now else code_proven_at end,
      sequence = sequence + 1
    from moment, present, after_expiry, artist
    where id = present_id and sequence = $63
      and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now))
      and (date, time_slot, bookings.artist_id) is distinct from
        ($64::date, $65::time_slot, artist.artist_id)
      and true and (not exists (select from installation where name = $66::text) or exists (select from proof))
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
  (select typed_after_seconds from proof where exists (select from installation where name = $67::text) limit 1))) || jsonb_build_object('has_word', $68::boolean), $69::text
  from "moved"
  order by expires_at)
  select "id", "status", "date", "time_slot", "starts_at_text", "ends_at_text", "artist_id", "artist_name", "timezone", "label", "created_at", "expires_at", "confirmed_at", "cancelled_at", "expired_at", "starts_at", "ends_at", "sequence", "moved_at", "no_show_at" from moved;
