-- The statements of src/repositories/bookings.ts. An argument that may be missing is given.

-- findBookingByCheckoutToken
select * from "bookings" where "checkout_token_hash" = $1;

-- findBookingsOfBrowser
select * from bookings
where status = 'pending' and (checkout_token_hash = $1 or form_nonce_hash = any($2::bytea[]))
union all
select * from bookings
where status = 'confirmed' and date = $3
  and time_slot = $4 and form_nonce_hash = any($5::bytea[])
order by created_at desc;

-- findHoldByIdempotencyKey
select "held"."id", "held"."status", "held"."date", "held"."time_slot", "held"."starts_at_text", "held"."ends_at_text", "held"."timezone", "held"."label", "held"."created_at", "held"."expires_at", "held"."confirmed_at", "held"."cancelled_at", "held"."expired_at",
  bookings.request_hash as "requestHash",
  bookings.checkout_token_sealed as "checkoutTokenSealed"
from bookings
  join events on events.booking_id = bookings.id and events.type = 'hold.created',
  jsonb_populate_record(null::bookings, events.data) as held
where bookings.idempotency_scope = any($1::bytea[])
  and bookings.idempotency_key = $2;

-- findPublicBookings
select "id", "status", "date", "time_slot", "starts_at_text", "ends_at_text", "timezone", "label", "created_at", "expires_at", "confirmed_at", "cancelled_at", "expired_at"
from "bookings"
where id = any($1::uuid[]);

-- insertConfirmed
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
added as (
  insert into bookings (
    status, date, time_slot, starts_at, starts_at_text, ends_at, ends_at_text, timezone, label,
    created_at, expires_at, confirmed_at, channel, confirmed_via,
    name, email, phone, pronouns, idea, checkout_token_hash, checkout_token_sealed
  )
  select 'confirmed', $4::date, $5, $6::timestamptz,
    $7, $8::timestamptz, $9,
    $10, $11,
    moment.now, moment.now + make_interval(secs => $12), moment.now,
    'studio', 'studio',
    $13, $14, $15, $16, $17,
    $18::bytea, $19::bytea
  from moment, after_expiry
  on conflict do nothing
  returning *
),
event as (
insert into events (type, booking_id, occurred_at, data, trace_context)
select 'booking.confirmed', id, (select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'ends_at_text', "ends_at_text", 'timezone', "timezone", 'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") || jsonb_build_object('sequence', sequence, 'by', 'studio'), $20::text
from "added"
order by expires_at)
select * from added;

-- listPendingHolds
select "id", "expires_at"
from "bookings"
where "status" = $1
order by "expires_at"
limit $2;
