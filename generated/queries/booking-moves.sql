-- The statements of src/repositories/booking-moves.ts. An argument that may be missing is given.

-- moveForPerson
begin;

select lock_slots($1);

  with moment as materialized (select booking_now() as now),
  lapsed as (
    update bookings set status = 'expired', expired_at = expires_at, sequence = sequence + 1
    from moment
    where status = 'pending' and expires_at <= moment.now
      and date = $1 and time_slot = $2
    returning bookings.*
  ),
  lapsed_events as (
  insert into events (type, booking_id, occurred_at, data, trace_context)
  select 'hold.expired', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at"), $3::text
  from "lapsed"
  order by expires_at),
  after_expiry as (select count(*) from lapsed),
  proof as materialized (
    select mails.id as code_id,
case when mails.status = 'sent' and mails.opened_at >= mails.ended_at
  then round(extract(epoch from mails.opened_at - mails.ended_at))::integer end as typed_after_seconds
    from mails, moment
    where booking_id = $4 and recipient = 'person' and kind = 'code'
      and browser_hash = $5::bytea and coalesce(
mails.opened_at > moment.now - make_interval(secs => 900), false)
  ),
  present as materialized (
    select id as present_id, date as from_date, time_slot as from_time_slot,
      starts_at_text as from_starts_at_text
    from bookings where id = $6
  ),
  moved as (
    update bookings
    set date = $7::date, time_slot = $8, starts_at = $9::timestamptz,
      starts_at_text = $10, ends_at = $11::timestamptz,
      ends_at_text = $12, timezone = $13, label = $14,
      moved_at = moment.now, no_show_at = null, studio_word = $15,
code_proven_at = case when exists (select from proof) then moment.now else code_proven_at end,
  moves_while_pending = moves_while_pending + (status = 'pending')::integer,
  moves_once_confirmed = moves_once_confirmed
    + (status = 'confirmed' and closed_day_choice is distinct from 'asked')::integer,
      sequence = sequence + 1
    from moment, present, after_expiry
    where id = present_id and sequence = $16
      and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now))
      and (date, time_slot) is distinct from ($17::date, $18::time_slot)
      and not exists (
        select from bookings other
        where other.date = $19 and other.time_slot = $20
          and (other.status = 'confirmed'
            or (other.status = 'pending' and other.expires_at > moment.now))
      )
      and not (not (exists (
  select from weekly_sessions
  where weekday = extract(isodow from $21::date) and weekly_sessions.time_slot = $22
) or exists (
  select from openings where openings.date = $23::date and openings.time_slot = $24
)) or exists (
  select 1 from closures
  where from_date <= $25 and to_date >= $26
    and (time_slot is null or time_slot = $27)
) or exists (
  select 1 from watched_calendars, lateral (
    select ends_at from busy_intervals
    where calendar_id = watched_calendars.id and starts_at < $28::timestamptz
    order by starts_at desc limit 1
  ) as last_begun
  where ends_at > $29::timestamptz
)) and not exists (
  select from bookings other
  where other.date between $30::date - 2 and $31::date + 2
    and (other.status = 'confirmed'
      or (other.status = 'pending' and other.expires_at > moment.now))
    and other.starts_at < $32::timestamptz
    and coalesce(other.ends_at, other.starts_at + interval '4 hours') > $33::timestamptz
    and (other.date, other.time_slot) is distinct from ($34::date, $35::time_slot)
    and other.id is distinct from $36::uuid
) and case status
  when 'pending' then moves_while_pending < $37
  else starts_at > moment.now and (closed_day_choice = 'asked' or (
    moves_once_confirmed < $38
    and starts_at >= moment.now + make_interval(hours => $39))) end and (not exists (select from installation where name = $40::text) or exists (select from proof))
    returning bookings.*, from_date, from_time_slot, from_starts_at_text
  ),
  spent as (
    update mails set used_at = moment.now from moment, proof
    where mails.id = code_id and used_at is null and exists (select from "moved")
  ),
  event as (
  insert into events (type, booking_id, occurred_at, data, trace_context)
  select 'booking.moved', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || jsonb_build_object('from', jsonb_build_object(
  'date', "from_date", 'time_slot', "from_time_slot",
  'starts_at', "from_starts_at_text"), 'to', jsonb_build_object(
  'date', "date", 'time_slot', "time_slot",
  'starts_at', "starts_at_text")) || jsonb_build_object('sequence', sequence, 'by', 'person') || jsonb_strip_nulls(jsonb_build_object(
  'code_typed_after_seconds',
  (select typed_after_seconds from proof where exists (select from installation where name = $41::text) limit 1))) || jsonb_build_object('has_word', $42::boolean), $43::text
  from "moved"
  order by expires_at)
  select "id", "status", "date", "time_slot", "starts_at_text", "ends_at_text", "timezone", "label", "created_at", "expires_at", "confirmed_at", "cancelled_at", "expired_at", "starts_at", "ends_at", "sequence", "moved_at", "no_show_at" from moved;

commit;

-- moveForStudio
  with moment as materialized (select booking_now() as now),
  lapsed as (
    update bookings set status = 'expired', expired_at = expires_at, sequence = sequence + 1
    from moment
    where status = 'pending' and expires_at <= moment.now
      and date = $1 and time_slot = $2
    returning bookings.*
  ),
  lapsed_events as (
  insert into events (type, booking_id, occurred_at, data, trace_context)
  select 'hold.expired', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at"), $3::text
  from "lapsed"
  order by expires_at),
  after_expiry as (select count(*) from lapsed),
  proof as materialized (
    select mails.id as code_id,
case when mails.status = 'sent' and mails.opened_at >= mails.ended_at
  then round(extract(epoch from mails.opened_at - mails.ended_at))::integer end as typed_after_seconds
    from mails, moment
    where booking_id = $4 and recipient = 'person' and kind = 'code'
      and browser_hash = $5::bytea and coalesce(
mails.opened_at > moment.now - make_interval(secs => 900), false)
  ),
  present as materialized (
    select id as present_id, date as from_date, time_slot as from_time_slot,
      starts_at_text as from_starts_at_text
    from bookings where id = $6
  ),
  moved as (
    update bookings
    set date = $7::date, time_slot = $8, starts_at = $9::timestamptz,
      starts_at_text = $10, ends_at = $11::timestamptz,
      ends_at_text = $12, timezone = $13, label = $14,
      moved_at = moment.now, no_show_at = null, studio_word = $15,
code_proven_at = case when exists (select from proof) then moment.now else code_proven_at end,
      sequence = sequence + 1
    from moment, present, after_expiry
    where id = present_id and sequence = $16
      and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now))
      and (date, time_slot) is distinct from ($17::date, $18::time_slot)
      and not exists (
        select from bookings other
        where other.date = $19 and other.time_slot = $20
          and (other.status = 'confirmed'
            or (other.status = 'pending' and other.expires_at > moment.now))
      )
      and true and (not exists (select from installation where name = $21::text) or exists (select from proof))
    returning bookings.*, from_date, from_time_slot, from_starts_at_text
  ),
  spent as (
    update mails set used_at = moment.now from moment, proof
    where mails.id = code_id and used_at is null and exists (select from "moved")
  ),
  event as (
  insert into events (type, booking_id, occurred_at, data, trace_context)
  select 'booking.moved', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || jsonb_build_object('from', jsonb_build_object(
  'date', "from_date", 'time_slot', "from_time_slot",
  'starts_at', "from_starts_at_text"), 'to', jsonb_build_object(
  'date', "date", 'time_slot', "time_slot",
  'starts_at', "starts_at_text")) || jsonb_build_object('sequence', sequence, 'by', 'studio') || jsonb_strip_nulls(jsonb_build_object(
  'code_typed_after_seconds',
  (select typed_after_seconds from proof where exists (select from installation where name = $22::text) limit 1))) || jsonb_build_object('has_word', $23::boolean), $24::text
  from "moved"
  order by expires_at)
  select "id", "status", "date", "time_slot", "starts_at_text", "ends_at_text", "timezone", "label", "created_at", "expires_at", "confirmed_at", "cancelled_at", "expired_at", "starts_at", "ends_at", "sequence", "moved_at", "no_show_at" from moved;
