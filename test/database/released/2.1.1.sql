-- What version 2.1.1 sends to the database, for the test of a rolling deploy
-- (test/database/previous-version.test.ts): recorded from its connections at commit edb037b, white
-- space aside, while it held, replayed, read, confirmed, cancelled, expired, dispatched and erased.
-- The caps of live bookings in "hold" are literals, and out of the way.

-- lock
select pg_advisory_xact_lock(1752132708)

-- hold
with moment as materialized (select booking_now() as now), lapsed as (update bookings set status =
'expired', expired_at = expires_at, sequence = sequence + 1 from moment where status = 'pending'
and expires_at <= moment.now and date = $1 and time_slot = $2 returning bookings.*), lapsed_events
as (insert into events (type, booking_id, occurred_at, data) select 'hold.expired', id, (select
now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot',
"time_slot", 'starts_at_text', "starts_at_text", 'timezone', "timezone", 'label', "label",
'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at",
'cancelled_at', "cancelled_at", 'expired_at', "expired_at") from "lapsed" order by expires_at),
pending as (select count(*) as studio, count(*) filter (where caller_hash = any($3::bytea[])) as
address, count(*) filter (where api_key_id = $4) as key from bookings, moment where status =
'pending' and expires_at > moment.now), live as materialized (select exists (select from bookings
where mailbox_of(email) = mailbox_of($5) and status in ('pending', 'confirmed') and case status
when 'pending' then expires_at else starts_at + make_interval(hours => $6) end > moment.now offset
99999) or exists (select from bookings where phone = $7 and status in ('pending', 'confirmed') and
case status when 'pending' then expires_at else starts_at + make_interval(hours => $8) end >
moment.now offset 99999) as "isPersonAtCap", exists (select from bookings where
caller_network_hash = any($9::bytea[]) and status in ('pending', 'confirmed') and case status when
'pending' then expires_at else starts_at + make_interval(hours => $10) end > moment.now and
created_at > moment.now - interval '24 hours' offset 99999) or exists (select from bookings where
api_key_id = $11 and status in ('pending', 'confirmed') and case status when 'pending' then
expires_at else starts_at + make_interval(hours => $12) end > moment.now and created_at >
moment.now - interval '24 hours' offset 99999) as "isCallerAtCap" from moment), held as (insert
into bookings (date, time_slot, starts_at, starts_at_text, timezone, label, created_at,
expires_at, name, email, phone, pronouns, idea, caller_hash, caller_network_hash, api_key_id,
checkout_token_hash, checkout_token_sealed, idempotency_scope, idempotency_key, request_hash)
select $13::date, $14, $15::timestamptz, $16, $17, $18, moment.now, moment.now +
make_interval(secs => $19), $20, $21, $22, $23, $24, $25::bytea, $26::bytea, $27::uuid,
$28::bytea, $29::bytea, $30::bytea, $31, $32::bytea from moment, pending, live, (select count(*)
from lapsed) as after_expiry where pending.studio < $33 and pending.address < $34 and pending.key
< $35 and not "isPersonAtCap" and not "isCallerAtCap" and not exists (select 1 from closures where
from_date <= $36 and to_date >= $37 and (time_slot is null or time_slot = $38)) on conflict do
nothing returning *), held_event as (insert into events (type, booking_id, occurred_at, data)
select 'hold.created', id, created_at, jsonb_build_object('id', "id", 'status', "status", 'date',
"date", 'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'timezone', "timezone",
'label', "label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at',
"confirmed_at", 'cancelled_at', "cancelled_at", 'expired_at', "expired_at") from "held" order by
expires_at) select "isPersonAtCap", "isCallerAtCap", "id", "status", "date", "time_slot",
"starts_at_text", "timezone", "label", "created_at", "expires_at", "confirmed_at", "cancelled_at",
"expired_at", "starts_at", "sequence" from live left join held on true

-- replay
select * from "bookings" where "idempotency_scope" in ($1) and "idempotency_key" = $2

-- read
select "id", "status", "date", "time_slot", "starts_at_text", "timezone", "label", "created_at",
"expires_at", "confirmed_at", "cancelled_at", "expired_at" from "bookings" where id =
any($1::uuid[])

-- checkout
select * from "bookings" where "checkout_token_hash" = $1

-- confirm
with moment as materialized (select booking_now() as now), confirmed as (update bookings set
status = 'confirmed', confirmed_at = moment.now, sequence = sequence + 1 from moment where id = $1
and status = 'pending' and expires_at > moment.now returning bookings.*), event as (insert into
events (type, booking_id, occurred_at, data) select 'booking.confirmed', id, (select now from
moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot',
"time_slot", 'starts_at_text', "starts_at_text", 'timezone', "timezone", 'label', "label",
'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at",
'cancelled_at', "cancelled_at", 'expired_at', "expired_at") from "confirmed" order by expires_at)
select * from confirmed

-- cancel
with moment as materialized (select booking_now() as now), cancelled as (update bookings set
status = 'cancelled', cancelled_at = moment.now, sequence = sequence + 1 from moment where id = $1
and status = $2 and (status = 'confirmed' or expires_at > moment.now) and (status = 'pending' or
starts_at > moment.now or $3 = 'studio') returning bookings.*), event as (insert into events
(type, booking_id, occurred_at, data) select 'booking.cancelled', id, (select now from moment),
jsonb_build_object('id', "id", 'status', "status", 'date', "date", 'time_slot', "time_slot",
'starts_at_text', "starts_at_text", 'timezone', "timezone", 'label', "label", 'created_at',
"created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at", 'cancelled_at',
"cancelled_at", 'expired_at', "expired_at") from "cancelled" order by expires_at) select * from
cancelled

-- expire
with moment as materialized (select booking_now() as now), due as materialized (select id from
bookings where status = 'pending' and expires_at <= (select now from moment) order by expires_at
limit 1000 for update skip locked), expired as (update bookings set status = 'expired', expired_at
= expires_at, sequence = sequence + 1 from due where bookings.id = due.id returning bookings.*),
event as (insert into events (type, booking_id, occurred_at, data) select 'hold.expired', id,
(select now from moment), jsonb_build_object('id', "id", 'status', "status", 'date', "date",
'time_slot', "time_slot", 'starts_at_text', "starts_at_text", 'timezone', "timezone", 'label',
"label", 'created_at', "created_at", 'expires_at', "expires_at", 'confirmed_at', "confirmed_at",
'cancelled_at', "cancelled_at", 'expired_at', "expired_at") from "expired" order by expires_at)
select extract(epoch from (select now from moment) - expires_at)::float8 as "latenessSeconds" from
expired

-- board
select json_build_object('now', floor(extract(epoch from booking_now()) * 1000), 'studio', (select
row_to_json(studio) from studio), 'openingHours', (select json_agg(row_to_json(opening_hours)
order by weekday) from opening_hours), 'weeklySessions', (select
coalesce(json_agg(row_to_json(weekly_sessions) order by weekday, time_slot), '[]') from
weekly_sessions), 'closures', (select coalesce(json_agg(json_build_object('from_date', from_date,
'to_date', to_date, 'time_slot', time_slot) order by id), '[]') from closures where to_date >=
booking_now()::date - 2), 'liveBookings', (select coalesce(json_agg(json_build_object('id', id,
'date', date, 'time_slot', time_slot, 'sequence', sequence, 'starts_at', floor(extract(epoch from
starts_at) * 1000), 'lapses_at', case status when 'pending' then floor(extract(epoch from
expires_at) * 1000) end)), '[]') from bookings where status in ('pending', 'confirmed') and date
>= booking_now()::date - 2)) as calendar

-- take events
select * from events where dispatched_at is null order by position limit (select least($1,
greatest(1, $2 / greatest(1, count(*)))) from webhook_subscriptions where disabled_at is null) for
update skip locked

-- insert deliveries
with live as materialized (select id, events, created_at, failing_since is not null as failing
from webhook_subscriptions where disabled_at is null for key share), inserted as (insert into
webhook_deliveries (event_id, subscription_id, next_attempt_at) select events.id, live.id,
booking_now() from events join live on events.type = any(live.events) and events.occurred_at >=
live.created_at where events.id = any($1::uuid[]) order by events.position returning event_id,
subscription_id) select coalesce((select json_agg(distinct event_id) from inserted), '[]') as
"eventIds", coalesce((select json_agg(json_build_object('id', id, 'failing', failing)) from live
where id in (select subscription_id from inserted)), '[]') as subscriptions

-- mark dispatched
update events set dispatched_at = booking_now(), webhook_body = event."webhookBody" from
jsonb_to_recordset($1::jsonb) as event (id uuid, "webhookBody" text) where events.id = event.id

-- erase due
with due as materialized (select id from bookings where email is not null and ((status in
('expired', 'cancelled') and coalesce(expired_at, cancelled_at) <= booking_now() -
make_interval(days => $1)) or (status = 'confirmed' and starts_at <= booking_now() -
make_interval(days => $2))) limit 1000 for update skip locked) update bookings set name = null,
email = null, phone = null, pronouns = null, idea = null, caller_hash = null, caller_network_hash
= null, api_key_id = null, idempotency_scope = null, idempotency_key = null, request_hash = null
from due where bookings.id = due.id returning bookings.id

-- upcoming of a person
select * from "bookings" where status in ('pending', 'confirmed') and not (status = 'pending' and
expires_at <= booking_now()) and lower(email) = lower($1) and "starts_at" > booking_now() order by
"date", "starts_at"

-- erase a person
update bookings set name = null, email = null, phone = null, pronouns = null, idea = null,
caller_hash = null, caller_network_hash = null, api_key_id = null, idempotency_scope = null,
idempotency_key = null, request_hash = null where lower(email) = lower($1) returning id
