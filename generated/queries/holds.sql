-- The statements of src/repositories/holds.ts. An argument that may be missing is given.

-- insertHold
begin;

select lock_slots($1);

  with moment as materialized (select booking_now() as now),
  proof as materialized (
    select mails.id as code_id,
case when mails.status = 'sent' and mails.opened_at >= mails.ended_at
  then round(extract(epoch from mails.opened_at - mails.ended_at))::integer end as typed_after_seconds
    from mails, moment
    where booking_id = $1 and recipient = 'person' and kind = 'code'
      and browser_hash = $2::bytea and coalesce(
mails.opened_at > moment.now - make_interval(secs => 900), false)
  ),
  cancelled as (
    update bookings
    set status = 'cancelled', cancelled_at = moment.now, cancellation_reason = $3,
      studio_word = $4,
code_proven_at = case when exists (select from proof) then moment.now else code_proven_at end, sequence = sequence + 1
    from moment
    where id = $5 and status = $6
      and sequence = coalesce($7, sequence)
      and (status = 'confirmed' or expires_at > moment.now)
      and (status = 'pending' or starts_at > moment.now or $8 = 'studio')
      and (not exists (select from installation where name = $9::text) or exists (select from proof))
    returning bookings.*
  ),
  spent as (
    update mails set used_at = moment.now from moment, proof
    where mails.id = code_id and used_at is null and exists (select from "cancelled")
  ),
  event as (
  insert into events (type, booking_id, occurred_at, data, trace_context)
  select 'booking.cancelled', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
  'artist_id', artist_id, 'artist_name', artist_name) end || jsonb_build_object('sequence', sequence, 'by', 'person') || jsonb_strip_nulls(jsonb_build_object(
  'code_typed_after_seconds',
  (select typed_after_seconds from proof where exists (select from installation where name = $10::text) limit 1))), $11::text
  from "cancelled"
  order by expires_at) select id from cancelled;

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
    count(*) filter (where date = $16::date) as sessions , max(array[date::text, time_slot, artist_name])
        filter (where ((date = $17 and time_slot = $18) or (starts_at < $19::timestamptz
  and ends_at > $20::timestamptz)) and (caller_network_hash = any($21::bytea[])
  or api_key_id = any($22::uuid[])) and ((canonical_mailbox(email) = canonical_mailbox($23) or (phone = $24 and not exists (select from installation where name = 'code_on')))
  and translate(fold_letters(name), ' .-', '') = translate(fold_letters($25), ' .-', ''))) as own_session
  from bookings, moment
  where date between $26::date - 2 and $27::date + 2
    and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now))
  group by artist_id),
  fortnight as (
    select artist_id as busy_id, count(*) as sessions_near from bookings
    where (select count(*) from artists) > 1 and date between $28::date - 14 and $29::date + 14
      and status in ('pending', 'confirmed')
    group by artist_id
  ),
  artist as materialized (
    select id as artist_id, false as may_overlap,
      coalesce(($30::timestamptz[])[array_position($31::integer[], "artists"."id")], $32::timestamptz) as session_ends_at,
      coalesce(($33::text[])[array_position($34::integer[], "artists"."id")], $35) as session_ends_at_text,
      case when (select count(*) from artists) > 1 then name end as artist_name
    from artists left join booked on artist_id = id
      left join fortnight on busy_id = id
    where hidden_at is null and not (not ((
  select $36 = any (sessions) from week_days
  where weekday = extract(isodow from $37::date) and (from_date is null or $38::date between from_date and to_date)
    and (week_days.artist_id is null or week_days.artist_id = "artists"."id")
  order by week_days.artist_id, from_date
  limit 1
) or exists (
  select from openings where openings.date = $39::date and openings.time_slot = $40
))
  or coalesce($41::date < first_day or $42::date > last_day, false) or exists (
  select from closures
  where from_date <= $43::date + 2 and to_date >= $44::date - 2 and (artist_id is null or artist_id = artists.id)
    and case when starts_at is null
      then from_date <= $45 and to_date >= $46
        and (time_slot is null or time_slot = $47)
      else starts_at < coalesce(($48::timestamptz[])[array_position($49::integer[], "artists"."id")], $50::timestamptz) and ends_at > $51::timestamptz end
) or exists (
  select from watched_calendars, lateral (
    select ends_at from busy_intervals
    where calendar_id = watched_calendars.id and starts_at < coalesce(($52::timestamptz[])[array_position($53::integer[], "artists"."id")], $54::timestamptz)
    order by starts_at desc limit 1
  ) as last_begun
  where ends_at > $55::timestamptz and (artist_id is null or artist_id = artists.id)
)) and not booked.is_around is true and ($56::integer is null or id = $57)
      order by  coalesce(sessions, 0), coalesce(sessions_near, 0),
  case when (select count(*) from artists) > 1 then (
    select max(created_at) from bookings
    where artist_id = artists.id and status in ('pending', 'confirmed')
  ) end nulls first,
  position, id
    limit 1
  ),
  pending as (
    select count(*) filter (where platform = $58) >= $59 as "isPendingOfPlatform",
      count(*) >= $60
        or (count(*) >= $61 and not exists (
  select from bookings where id = $62 and xmin = pg_current_xact_id()::xid)
          and (
  count(*) filter (where caller_network_hash = any($63::bytea[])) > 0 or cardinality($64::bytea[]) = 0))
        or
  count(*) filter (where caller_network_hash = any($65::bytea[])) >= $66
        or count(*) filter (where api_key_id = $67) >= $68
        as "isPendingAtCap"
    from bookings, moment
    where status = 'pending' and expires_at > moment.now
  ),
  live as materialized (
    select
  exists (select from bookings where canonical_mailbox(email) = canonical_mailbox($69) and status in ('pending', 'confirmed') and channel is distinct from 'studio'
  and case status when 'pending' then expires_at
    else starts_at + make_interval(hours => $70) end > moment.now offset 0) or
  exists (select from bookings where phone = $71 and status in ('pending', 'confirmed') and channel is distinct from 'studio'
  and case status when 'pending' then expires_at
    else starts_at + make_interval(hours => $72) end > moment.now offset 0) as "isPersonAtCap",
  exists (select from bookings where caller_network_hash = any($73::bytea[]) and status in ('pending', 'confirmed') and channel is distinct from 'studio'
  and case status when 'pending' then expires_at
    else starts_at + make_interval(hours => $74) end > moment.now and created_at > moment.now - interval '24 hours' offset 0)
        or
  exists (select from bookings where api_key_id = $75 and status in ('pending', 'confirmed') and channel is distinct from 'studio'
  and case status when 'pending' then expires_at
    else starts_at + make_interval(hours => $76) end > moment.now and created_at > moment.now - interval '24 hours' offset 0)
        as "isCallerAtCap",
      coalesce((
  select count(*) from bookings other
  where status = 'pending' and expires_at > (select now from moment) and is_artist_chosen
    and artist_id = $77::integer
    and date between $78::date and $79::date and caller_network_hash = any($80::bytea[])
) >= $81::integer, false) as "isArtistAtCap",
  exists (select from bookings where platform = $82 and status in ('pending', 'confirmed') and channel is distinct from 'studio'
  and case status when 'pending' then expires_at
    else starts_at + make_interval(hours => $83) end > moment.now and created_at > moment.now - interval '24 hours' offset 0) as "isLiveOfPlatform"
    from moment
  ),
  held as (
    insert into bookings (
      date, time_slot, starts_at, starts_at_text, ends_at, ends_at_text, timezone, label,
      artist_id, artist_name, is_artist_chosen, created_at, expires_at,
      channel, platform, name, email, phone, pronouns, idea, language,
      caller_network_hash, api_key_id, checkout_token_hash, checkout_token_sealed,
      idempotency_scope, idempotency_key, request_hash, form_nonce_hash
    )
    select $84::date, $85, $86::timestamptz,
      $87, session_ends_at, session_ends_at_text, $88,
      $89 || coalesce(' with ' || artist.artist_name, ''), artist.artist_id, artist.artist_name, $90::boolean,
      moment.now,
      moment.now + make_interval(secs => $91), $92, $93,
      $94, $95, $96, $97, $98, $99,
      $100::bytea, $101::uuid,
      $102::bytea, $103::bytea,
      $104::bytea, $105, $106::bytea,
      $107::bytea
    from moment, pending, live, after_expiry, artist
    where not "isPendingAtCap" and not "isPendingOfPlatform"
      and not "isPersonAtCap" and not "isCallerAtCap" and not "isLiveOfPlatform"
      and not "isArtistAtCap"
      and (select max(own_session) from booked) is null
    -- Not of any conflict: each index would be searched before it is written.
    on conflict (idempotency_scope, idempotency_key) where idempotency_key is not null do nothing
    returning *
  ),
  held_event as (
  insert into events (type, booking_id, occurred_at, data, trace_context)
  select 'hold.created', id, created_at, jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
  'artist_id', artist_id, 'artist_name', artist_name) end || jsonb_build_object('handover', $108::jsonb), $109::text
  from "held"
  order by expires_at)
  select "isPendingAtCap" or "isPendingOfPlatform" as "isPendingAtCap",
    "isPersonAtCap", "isCallerAtCap", "isArtistAtCap", (select max(own_session) from booked) as own,
    case when "isPendingOfPlatform" then 'pending_holds'
      when "isLiveOfPlatform" then 'live_bookings' end as "platformAtCap",
    "id", "status", "date", "time_slot", "starts_at_text", "ends_at_text", "artist_id", "artist_name", "timezone", "label", "created_at", "expires_at", "confirmed_at", "cancelled_at", "expired_at", "starts_at", "ends_at", "sequence"
  from pending cross join live left join held on true;

commit;
