-- The statements of src/repositories/corrections.ts. An argument that may be missing is given.

-- correctBooking
with moment as materialized (select booking_now() as now),
corrected as (
  update bookings
  set name = $1, email = $2, phone = $3, pronouns = $4, idea = $5,
    checkout_token_hash = $6, current_token_sealed = $7,
    form_nonce_hash = null, code_proven_at = null,
    reminders_stopped_at = case
      when canonical_mailbox(email) = canonical_mailbox($8) then reminders_stopped_at end, sequence = sequence + 1
  from moment
  where id = $9
    and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now))
  returning bookings.*
),
voided as (
  update mails set lapses_at = least(lapses_at, moment.now), opened_at = null
  from moment, corrected
  where not false and booking_id = corrected.id and recipient = 'person'
    and kind = 'code'
),
event as (
insert into events (type, booking_id, occurred_at, data, trace_context)
select 'booking.corrected', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || case when artist_name is null then '{}' else jsonb_build_object(
'artist_id', artist_id, 'artist_name', artist_name) end || jsonb_build_object('sequence', sequence, 'by', 'studio') || jsonb_build_object('is_quiet', false), $10::text
from "corrected"
order by expires_at)
select bookings.*, not false and email is not null and status = 'confirmed'
    and starts_at > moment.now and exists (select from installation where name = 'mail_on') as "isMailed"
from corrected as bookings, moment;

-- setNote
update bookings
set "studio_note" = $1
where id = any($2::uuid[]);
