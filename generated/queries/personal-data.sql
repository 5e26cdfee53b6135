-- The statements of src/repositories/personal-data.ts. An argument that may be missing is given.

-- eraseDuePersonalData
  with due as materialized (
    select id from bookings
    where (name is null and (
cancellation_reason is not null or studio_word is not null or studio_note is not null)) or (name is not null and (
      (status in ('expired', 'cancelled') and coalesce(expired_at, cancelled_at)
        <= booking_now() - make_interval(days => $1))
      or (status = 'confirmed'
        and starts_at <= booking_now() - make_interval(days => $2))
    ))
    limit 1000
    for update skip locked
  )
  update bookings set "name" = null,
"email" = null,
"phone" = null,
"pronouns" = null,
"idea" = null,
"studio_note" = null,
"studio_word" = null,
"cancellation_reason" = null,
"api_key_id" = null,
"reminders_stopped_at" = null,
"code_asked_at" = null,
"code_proven_at" = null,
"caller_hash" = null,
"caller_network_hash" = null,
"idempotency_scope" = null,
"idempotency_key" = null,
"request_hash" = null,
"form_nonce_hash" = null from due where bookings.id = due.id
  returning bookings.id;

-- erasePersonalDataOf
  update bookings set "name" = null,
"email" = null,
"phone" = null,
"pronouns" = null,
"idea" = null,
"studio_note" = null,
"studio_word" = null,
"cancellation_reason" = null,
"api_key_id" = null,
"reminders_stopped_at" = null,
"code_asked_at" = null,
"code_proven_at" = null,
"caller_hash" = null,
"caller_network_hash" = null,
"idempotency_scope" = null,
"idempotency_key" = null,
"request_hash" = null,
"form_nonce_hash" = null
  where lower(email) = lower($1) and (name is not null or (
cancellation_reason is not null or studio_word is not null or studio_note is not null))
  returning id;

-- readApiKeyRecords
select *
from "api_keys"
where lower(email) = $1
order by "created_at" desc, "id" desc
limit $2;

-- readBookingRecords
select *
from "bookings"
where lower(email) = lower($1)
order by "created_at";

select "id", "label", "has_details", "created_at"
from "calendar_feeds"
order by "created_at" desc, "id";

-- readErasureNight
select * from "installation" where "name" = $1;

-- recordErasureNight
insert into "installation" ("name", "value")
values ($1, $2)
on conflict ("name") do update
set "value" = $3;
