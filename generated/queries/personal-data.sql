-- The statements of src/repositories/personal-data.ts. An argument that may be missing is given.

-- eraseDuePersonalData
  with due as materialized (select id from bookings where
  (name is null and (
cancellation_reason is not null or studio_word is not null or studio_note is not null
or client_note is not null)) or (name is not null and (
    (status in ('expired', 'cancelled') and coalesce(expired_at, cancelled_at)
      <= booking_now() - make_interval(days => $1))
    or (status = 'confirmed'
      and starts_at <= booking_now() - make_interval(days => $2))
  ))
  limit 1000
  for update skip locked),
  leaving as materialized (
    select distinct on (client) * from (
      select
coalesce(canonical_mailbox(email), phone || ' ' || translate(fold_letters(name), ' .-', ''), id::text) as client, client_note as note, created_at from bookings
      where client_note is not null and id in (select id from due)
    ) as noted
    order by client, created_at desc
  ),
  left_to as (
    update bookings set client_note = leaving.note from leaving
    where
coalesce(canonical_mailbox(email), phone || ' ' || translate(fold_letters(name), ' .-', ''), id::text) = leaving.client and client_note is null and name is not null
      and confirmed_at is not null and bookings.id not in (select id from due)
  ),
  erased as (
    update bookings set "name" = null,
"email" = null,
"phone" = null,
"pronouns" = null,
"language" = null,
"idea" = null,
"studio_note" = null,
"client_note" = null,
"studio_word" = null,
"cancellation_reason" = null,
"api_key_id" = null,
"reminders_stopped_at" = null,
"code_asked_at" = null,
"code_proven_at" = null,
"caller_network_hash" = null,
"idempotency_scope" = null,
"idempotency_key" = null,
"request_hash" = null,
"form_nonce_hash" = null from due where bookings.id = due.id
    returning bookings.id
  ),
  mailed as (
    update mails set language = null from erased
    where booking_id = erased.id and language is not null
  )
  select id from erased;

-- erasePersonalDataOf
  with due as materialized (select id from bookings where canonical_mailbox(email) = canonical_mailbox($1) and (name is not null or (
cancellation_reason is not null or studio_word is not null or studio_note is not null
or client_note is not null)) for update),
  leaving as materialized (
    select distinct on (client) * from (
      select
coalesce(canonical_mailbox(email), phone || ' ' || translate(fold_letters(name), ' .-', ''), id::text) as client, client_note as note, created_at from bookings
      where client_note is not null and id in (select id from due)
    ) as noted
    order by client, created_at desc
  ),
  left_to as (
    update bookings set client_note = leaving.note from leaving
    where
coalesce(canonical_mailbox(email), phone || ' ' || translate(fold_letters(name), ' .-', ''), id::text) = leaving.client and client_note is null and name is not null
      and confirmed_at is not null and bookings.id not in (select id from due)
  ),
  erased as (
    update bookings set "name" = null,
"email" = null,
"phone" = null,
"pronouns" = null,
"language" = null,
"idea" = null,
"studio_note" = null,
"client_note" = null,
"studio_word" = null,
"cancellation_reason" = null,
"api_key_id" = null,
"reminders_stopped_at" = null,
"code_asked_at" = null,
"code_proven_at" = null,
"caller_network_hash" = null,
"idempotency_scope" = null,
"idempotency_key" = null,
"request_hash" = null,
"form_nonce_hash" = null from due where bookings.id = due.id
    returning bookings.id
  ),
  mailed as (
    update mails set language = null from erased
    where booking_id = erased.id and language is not null
  )
  select id from erased;

-- readApiKeyRecords
select *
from "api_keys"
where canonical_mailbox(email) = canonical_mailbox($1)
order by "created_at" desc, "id" desc
limit $2;

-- readBookingRecords
select *
from "bookings"
where canonical_mailbox(email) = canonical_mailbox($1)
order by "created_at";

select * from "events" where booking_id = any($1::uuid[])
order by "position";

select * from "mails" where booking_id = any($1::uuid[])
order by "position";

select * from "booking_conflicts" where booking_id = any($1::uuid[])
order by "found_at";

  select audit_log.*, booking_id
  from unnest($1::uuid[]) as booking_id
    join audit_log on (
details @> jsonb_build_object('booking_id', booking_id)
or details @> jsonb_build_object('cancelled_bookings', jsonb_build_array(booking_id))
or details @> jsonb_build_object('changed_bookings', jsonb_build_array(booking_id)))
  order by position;

select "webhook_deliveries".*, "subscriptions"."target_host", "booking_id"
from "webhook_deliveries"
inner join "events" on "events"."id" = "event_id"
inner join "webhook_subscriptions" as "subscriptions" on "subscriptions"."id" = "subscription_id"
where booking_id = any($1::uuid[])
order by "events"."position", "webhook_deliveries"."id";

select "id", "label", "has_details", "artist_id", "created_at"
from "calendar_feeds"
order by "created_at" desc, "id";
