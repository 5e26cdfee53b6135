-- The statements of src/repositories/booking-transitions.ts. An argument that may be missing is given.

-- cancelBooking
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
  order by expires_at)
  select * from cancelled;

-- confirmBooking
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
  own as materialized (
    select id as own_id, date as own_date, starts_at as own_starts_at,
      ends_at as own_ends_at,
      name as own_name, email as own_email, phone as own_phone,
      caller_network_hash as own_network_hash, api_key_id as own_api_key_id
    from bookings where id = $3
  ),
  elsewhere as materialized (
    select date, time_slot as "timeSlot", artist_name as "artistName" from bookings, moment, own
    where (select count(*) from artists) > 1 and date between own_date::date - 2 and own_date::date + 2
  and starts_at < own_ends_at::timestamptz
  and ends_at > own_starts_at::timestamptz
  and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now)) and id <> own_id and (
      ((caller_network_hash = own_network_hash or api_key_id = own_api_key_id) and ((canonical_mailbox(email) = canonical_mailbox(own_email) or (phone = own_phone and not exists (select from installation where name = 'code_on')))
  and translate(fold_letters(name), ' .-', '') = translate(fold_letters(own_name), ' .-', '')))
      or (exists (select from proof) and (code_proven_at is not null or confirmed_via in ('code', 'studio')) and canonical_mailbox(email) = canonical_mailbox(own_email) and translate(fold_letters(name), ' .-', '') = translate(fold_letters(own_name), ' .-', '')))
    limit 1
  ),
  confirmed as (
    update bookings
    set status = 'confirmed', confirmed_at = moment.now,
      confirmed_via = case when exists (select from installation where name = $4::text) then 'code' else 'link' end,
code_proven_at = case when exists (select from proof) then moment.now else code_proven_at end,
      sequence = sequence + 1
    from moment
    where id = $5 and status = 'pending' and expires_at > moment.now
      and sequence = coalesce($6, sequence) and (not exists (select from installation where name = $7::text) or exists (select from proof))
      and not exists (select from elsewhere)
    returning bookings.*
  ),
  spent as (
    update mails set used_at = moment.now from moment, proof
    where mails.id = code_id and used_at is null and exists (select from "confirmed")
  ),
  event as (
  insert into events (type, booking_id, occurred_at, data, trace_context)
  select 'booking.confirmed', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
  'artist_id', artist_id, 'artist_name', artist_name) end || jsonb_build_object('sequence', sequence, 'by', 'person') || jsonb_strip_nulls(jsonb_build_object(
  'code_typed_after_seconds',
  (select typed_after_seconds from proof where exists (select from installation where name = $8::text) limit 1))), $9::text
  from "confirmed"
  order by expires_at)
  select * from confirmed;

-- countOverdueHolds
select count(*)::integer as overdue from bookings
where status = 'pending' and expires_at < booking_now() - interval '1 minute';

-- expireDueHolds
with moment as materialized (select booking_now() as now),
due as materialized (
  select id from bookings
  where status = 'pending' and expires_at <= (select now from moment)
  order by expires_at
  limit 1000
  for update skip locked
),
expired as (
  update bookings set status = 'expired', expired_at = expires_at, sequence = sequence + 1
  from due
  where bookings.id = due.id
  returning bookings.*
),
event as (
insert into events (type, booking_id, occurred_at, data, trace_context)
select 'hold.expired', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
'artist_id', artist_id, 'artist_name', artist_name) end, $1::text
from "expired"
order by expires_at)
select extract(epoch from (select now from moment) - expires_at)::float8 as "latenessSeconds"
from expired;

-- markNoShow
update bookings set no_show_at = booking_now()
where id = $1 and status = 'confirmed' and starts_at <= booking_now()
returning *;

-- unmarkNoShow
update bookings set no_show_at = null where id = $1 returning *;
