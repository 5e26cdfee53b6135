-- The statements of src/repositories/closed-days.ts. An argument that may be missing is given.

-- changeChoice
  with moment as materialized (select booking_now() as now),
  chosen as (
    update bookings
    set closed_day_choice = case
        when $1 = 'asked' or is_closed_by_studio(
date, time_slot, artist_id, starts_at, ends_at) then $2 end,
      studio_word = $3, sequence = sequence + 1
    from moment
    where id = $4 and status = 'confirmed' and starts_at > moment.now
    returning bookings.*
  ),
  event as (
  insert into events (type, booking_id, occurred_at, data, trace_context)
  select 'booking.asked', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
  'artist_id', artist_id, 'artist_name', artist_name) end || jsonb_build_object('sequence', sequence, 'by', 'studio') || jsonb_build_object('is_quiet', false) || jsonb_build_object('has_word', $5::boolean), $6::text
  from "chosen"
  order by expires_at)
  select * from chosen;

-- findIsClosed
  select is_closed_by_studio(
date, time_slot, artist_id, starts_at, ends_at) as "isClosed" from bookings where id = $1;

-- forgetKept
  update bookings set closed_day_choice = null
  where closed_day_choice = 'kept' and status in ('pending', 'confirmed')
    and date >= (select booking_now()::date - 2)
    and not is_closed_by_studio(
date, time_slot, artist_id, starts_at, ends_at);

-- keepBooking
update "bookings"
set "closed_day_choice" = $1
where "id" = $2
returning *;

-- listOpenQuestions
select * from bookings
where status = 'confirmed' and date >= (select booking_now()::date - 2)
  and starts_at > booking_now()
  and (("bookings"."status" = 'confirmed' and "bookings"."closed_day_choice" is null
and is_closed_by_studio("bookings"."date", "bookings"."time_slot", "bookings"."artist_id",
  "bookings"."starts_at", "bookings"."ends_at")) or closed_day_choice = 'asked')
order by starts_at;

-- recordLeftUndecided
with left_there as (select * from bookings where id = $1)
insert into events (type, booking_id, occurred_at, data, trace_context)
select 'booking.conflict', id, booking_now(), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
'artist_id', artist_id, 'artist_name', artist_name) end || jsonb_build_object('sequence', sequence) || jsonb_build_object(
'left_undecided', $2::jsonb), $3::text
from "left_there"
order by expires_at;
