-- The statements of src/repositories/mail-dispatch.ts. An argument that may be missing is given.

-- discardEventsToMail
delete from events_to_mail using events
where events.id = event_id and occurred_at < booking_now() - interval '2 minutes'
  and not exists (select from installation where name = 'mail_on');

-- dropWhileMailIsOff
  update mails set
  status = 'dropped', reason = 'mail_off', next_attempt_at = null, claimed_until = null,
  ended_at = booking_now()
  where (
status = 'pending' and not (
status = 'pending' and kind = 'reminder' and attempts = 0 and next_attempt_at > booking_now())
and (claimed_until is null or claimed_until <= booking_now())) and not exists (select from installation where name = 'mail_on');

-- hasEventsToMail
select "event_id"
from "events_to_mail"
where exists (select
from installation
where name = 'mail_on');

-- leaveUnmailed
delete from events_to_mail using events
where events.id = event_id and booking_id = any($1::uuid[]);

-- listEventsToMail
select events.id, type, booking_id as "bookingId", occurred_at as "occurredAt", data,
  coalesce((data->>'sequence')::integer, (
    select count(*) from events earlier
    where earlier.booking_id = events.booking_id and earlier.position < events.position
      and earlier.type <> 'booking.conflict'
  )::integer) as sequence,
  (data->>'starts_at_text')::timestamptz as "startsAt",
  bookings.email is not null as "hasEmail", (
    select coalesce(json_object_agg(artists.id, lower(artists.email)), '{}')
    from artists join studio on lower(studio.email) <> lower(artists.email)
  ) as "artistEmails", watched_calendars.id as "calendarId",
  trace_context as "traceContext"
from events_to_mail join events on events.id = event_id
  left join bookings on bookings.id = booking_id
  left join watched_calendars
    on type = 'calendar.failing' and watched_calendars.id::text = data->>'calendar_id'
order by position
limit 500;

-- lockMails
select pg_advisory_xact_lock(1835100524);

-- readMailOffEffects
  select (select count(*)::integer from mails where (
status = 'pending' and not (
status = 'pending' and kind = 'reminder' and attempts = 0 and next_attempt_at > booking_now())
and (claimed_until is null or claimed_until <= booking_now()))) as unsent,
    (select count(*)::integer from events_to_mail) as unmade,
    (select count(*)::integer from mails where (
status = 'pending' and kind = 'reminder' and attempts = 0 and next_attempt_at > booking_now())) as "remindersAhead",
    (select count(*)::integer from bookings
      where status = 'confirmed' and starts_at > booking_now()) as "confirmedAhead";

-- readMailOnSince
select * from "installation" where "name" = $1;

-- recordMailsOfEvents
-- Locked, so that none is removed before the insert, whose foreign key would fail.
with calendars as materialized (
  select id from watched_calendars where id = any($1::uuid[]) for key share
)
insert into mails
  (event_id, booking_id, calendar_id, kind, recipient, artist_id, sequence, created_at,
    next_attempt_at)
select "eventId", "bookingId", "calendarId", kind, recipient, "artistId", sequence, moment.now,
  greatest("sendAt", moment.now)
from (select booking_now() as now) as moment,
  rows from (jsonb_to_recordset($2::jsonb) as (
    "eventId" uuid, "bookingId" uuid, "calendarId" uuid, kind text, recipient text,
    "artistId" integer, sequence integer, "sendAt" timestamptz)) with ordinality as mail
where "calendarId" is null or "calendarId" in (select id from calendars)
order by mail.ordinality
on conflict (event_id, recipient, kind) do nothing;

update mails set
status = 'dropped', reason = 'superseded', next_attempt_at = null, claimed_until = null,
ended_at = booking_now()
from bookings
where bookings.id = mails.booking_id
  and (mails.sequence < case when "mails"."artist_id" is null then bookings.sequence - bookings.quiet_changes
else (
  select max(newer.sequence) from mails newer
  where newer.booking_id = "mails"."booking_id" and newer.artist_id = "mails"."artist_id"
) end
    or mails.kind = 'reminder' and exists (
      select from mails later
      where later.booking_id = mails.booking_id and later.kind = 'reminder'
        and later.recipient = mails.recipient
        and later.sequence > mails.sequence))
  and mails.kind not in ('code', 'conflict')
  and mails.booking_id = any($1::uuid[])
  and mails.status = 'pending'
  and (claimed_until is null or claimed_until <= booking_now());

delete
from events_to_mail
where event_id = any($1::uuid[]);
