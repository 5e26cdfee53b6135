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
  group by artist_id),
  artist as materialized (
    select id as artist_id, false as may_overlap,
      case when (select count(*) from artists) > 1 then name end as artist_name
    from artists left join booked on artist_id = id
    where hidden_at is null and not (not (case when "artists"."has_own_week" then exists (
  select from artist_sessions
  where artist_id = "artists"."id"
    and weekday = extract(isodow from $17::date) and artist_sessions.time_slot = $18
) else exists (
  select from weekly_sessions
  where weekday = extract(isodow from $19::date) and weekly_sessions.time_slot = $20
) end or exists (
  select from openings where openings.date = $21::date and openings.time_slot = $22
)) or exists (
  select from closures
  where from_date <= $23 and to_date >= $24
    and (time_slot is null or time_slot = $25) and (artist_id is null or artist_id = artists.id)
) or exists (
  select from watched_calendars, lateral (
    select ends_at from busy_intervals
    where calendar_id = watched_calendars.id and starts_at < $26::timestamptz
    order by starts_at desc limit 1
  ) as last_begun
  where ends_at > $27::timestamptz and (artist_id is null or artist_id = artists.id)
)) and not booked.is_around is true and ($28::integer is null or id = $29)
    order by  coalesce(sessions, 0), position, id
    limit 1
  ),
  pending as (
    select count(*) filter (where platform = $30) >= $31 as "isPendingOfPlatform",
      count(*) >= $32
        or (count(*) >= $33 and not exists (
  select from bookings where id = $34 and xmin = pg_current_xact_id()::xid)
          and (
  count(*) filter (where caller_network_hash = any($35::bytea[])) > 0 or cardinality($36::bytea[]) = 0))
        or
  count(*) filter (where caller_network_hash = any($37::bytea[])) >= $38
        or count(*) filter (where api_key_id = $39) >= $40
        as "isPendingAtCap"
    from bookings, moment
    where status = 'pending' and expires_at > moment.now
  ),
  live as materialized (
    select
  exists (select from bookings where canonical_mailbox(email) = canonical_mailbox($41) and status in ('pending', 'confirmed') and channel is distinct from 'studio'
  and case status when 'pending' then expires_at
    else starts_at + make_interval(hours => $42) end > moment.now offset 0) or
  exists (select from bookings where phone = $43 and status in ('pending', 'confirmed') and channel is distinct from 'studio'
  and case status when 'pending' then expires_at
    else starts_at + make_interval(hours => $44) end > moment.now offset 0) as "isPersonAtCap",
  exists (select from bookings where caller_network_hash = any($45::bytea[]) and status in ('pending', 'confirmed') and channel is distinct from 'studio'
  and case status when 'pending' then expires_at
    else starts_at + make_interval(hours => $46) end > moment.now and created_at > moment.now - interval '24 hours' offset 0)
        or
  exists (select from bookings where api_key_id = $47 and status in ('pending', 'confirmed') and channel is distinct from 'studio'
  and case status when 'pending' then expires_at
    else starts_at + make_interval(hours => $48) end > moment.now and created_at > moment.now - interval '24 hours' offset 0)
        as "isCallerAtCap",
  exists (select from bookings where platform = $49 and status in ('pending', 'confirmed') and channel is distinct from 'studio'
  and case status when 'pending' then expires_at
    else starts_at + make_interval(hours => $50) end > moment.now and created_at > moment.now - interval '24 hours' offset 0) as "isLiveOfPlatform"
    from moment
  ),
  held as (
    insert into bookings (
      date, time_slot, starts_at, starts_at_text, ends_at, ends_at_text, timezone, label,
      artist_id, artist_name, created_at, expires_at,
      channel, platform, name, email, phone, pronouns, idea, caller_network_hash, api_key_id,
      checkout_token_hash, checkout_token_sealed,
      idempotency_scope, idempotency_key, request_hash, form_nonce_hash
    )
    select $51::date, $52, $53::timestamptz,
      $54, $55::timestamptz, $56, $57,
      $58 || coalesce(' with ' || artist.artist_name, ''), artist.artist_id, artist.artist_name, moment.now,
      moment.now + make_interval(secs => $59), $60, $61,
      $62, $63, $64, $65, $66,
      $67::bytea, $68::uuid,
      $69::bytea, $70::bytea,
      $71::bytea, $72, $73::bytea,
      $74::bytea
    from moment, pending, live, after_expiry, artist
    where not "isPendingAtCap" and not "isPendingOfPlatform"
      and not "isPersonAtCap" and not "isCallerAtCap" and not "isLiveOfPlatform"
    -- Not of any conflict: each index would be searched before it is written.
    on conflict (idempotency_scope, idempotency_key) where idempotency_key is not null do nothing
    returning *
  ),
  held_event as (
  insert into events (type, booking_id, occurred_at, data, trace_context)
  select 'hold.created', id, created_at, jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
  'artist_id', artist_id, 'artist_name', artist_name) end, $75::text
  from "held"
  order by expires_at)
  select "isPendingAtCap" or "isPendingOfPlatform" as "isPendingAtCap",
    "isPersonAtCap", "isCallerAtCap",
    case when "isPendingOfPlatform" then 'pending_holds'
      when "isLiveOfPlatform" then 'live_bookings' end as "platformAtCap",
    "id", "status", "date", "time_slot", "starts_at_text", "ends_at_text", "artist_id", "artist_name", "timezone", "label", "created_at", "expires_at", "confirmed_at", "cancelled_at", "expired_at", "starts_at", "ends_at", "sequence"
  from pending cross join live left join held on true;

commit;

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
