-- The statements of src/repositories/mail-queue.ts. An argument that may be missing is given.

-- claimDueMails
begin;

select pg_advisory_xact_lock(1835100524);

  with moment as materialized (select booking_now() as now),
  due as materialized (
    select * from (
  (select mails.id, mails.position, mails.kind, next_attempt_at,
    mails.recipient = 'person' and mails.kind <> 'code'
      and (counted_at is null or counted_at <= (select now from moment) - interval '1 day') as is_counted_now
  from mails left join bookings on bookings.id = booking_id
  where mails.status = 'pending' and mails.kind = 'code' and next_attempt_at <= (select now from moment)
    and (claimed_until is null or claimed_until <= (select now from moment))
    and not exists (
      select from mails earlier
      where earlier.booking_id = mails.booking_id and (case when "mails"."artist_id" is null
  then "earlier"."recipient" = "mails"."recipient"
  else "earlier"."artist_id" = "mails"."artist_id" end)
        and earlier.kind <> 'code' and mails.kind <> 'code' and earlier.position < mails.position and earlier.status = 'pending'
        and (earlier.claimed_until > (select now from moment)
          or earlier.kind <> 'reminder' and earlier.sequence >= case when "earlier"."artist_id" is null then bookings.sequence - bookings.quiet_changes
  else (
    select max(newer.sequence) from mails newer
    where newer.booking_id = "earlier"."booking_id" and newer.artist_id = "earlier"."artist_id"
  ) end)
    )
  order by next_attempt_at, mails.position
  limit $1) union all
  (select mails.id, mails.position, mails.kind, next_attempt_at,
    mails.recipient = 'person' and mails.kind <> 'code'
      and (counted_at is null or counted_at <= (select now from moment) - interval '1 day') as is_counted_now
  from mails left join bookings on bookings.id = booking_id
  where mails.status = 'pending' and mails.kind <> 'reminder' and mails.kind <> 'code' and next_attempt_at <= (select now from moment)
    and (claimed_until is null or claimed_until <= (select now from moment))
    and not exists (
      select from mails earlier
      where earlier.booking_id = mails.booking_id and (case when "mails"."artist_id" is null
  then "earlier"."recipient" = "mails"."recipient"
  else "earlier"."artist_id" = "mails"."artist_id" end)
        and earlier.kind <> 'code' and mails.kind <> 'code' and earlier.position < mails.position and earlier.status = 'pending'
        and (earlier.claimed_until > (select now from moment)
          or earlier.kind <> 'reminder' and earlier.sequence >= case when "earlier"."artist_id" is null then bookings.sequence - bookings.quiet_changes
  else (
    select max(newer.sequence) from mails newer
    where newer.booking_id = "earlier"."booking_id" and newer.artist_id = "earlier"."artist_id"
  ) end)
    )
  order by next_attempt_at, mails.position
  limit $2) union all
  (select mails.id, mails.position, mails.kind, next_attempt_at,
    mails.recipient = 'person' and mails.kind <> 'code'
      and (counted_at is null or counted_at <= (select now from moment) - interval '1 day') as is_counted_now
  from mails left join bookings on bookings.id = booking_id
  where mails.status = 'pending' and mails.kind = 'reminder' and next_attempt_at <= (select now from moment)
    and (claimed_until is null or claimed_until <= (select now from moment))
    and not exists (
      select from mails earlier
      where earlier.booking_id = mails.booking_id and (case when "mails"."artist_id" is null
  then "earlier"."recipient" = "mails"."recipient"
  else "earlier"."artist_id" = "mails"."artist_id" end)
        and earlier.kind <> 'code' and mails.kind <> 'code' and earlier.position < mails.position and earlier.status = 'pending'
        and (earlier.claimed_until > (select now from moment)
          or earlier.kind <> 'reminder' and earlier.sequence >= case when "earlier"."artist_id" is null then bookings.sequence - bookings.quiet_changes
  else (
    select max(newer.sequence) from mails newer
    where newer.booking_id = "earlier"."booking_id" and newer.artist_id = "earlier"."artist_id"
  ) end)
    )
  order by next_attempt_at, mails.position
  limit $3)
    ) as candidates
    where exists (select from installation where name = 'mail_on')
    order by kind = 'code' desc, kind = 'reminder', next_attempt_at, position
    limit $4
  ),
  mail as (
    update mails
    set claimed_until = moment.now + make_interval(secs => $5),
      counted_at = case when due.is_counted_now then moment.now else counted_at end
    from due, moment
    -- A process whose claim has expired may record its outcome at this moment.
    where mails.id = due.id and mails.status = 'pending'
    returning mails.*, due.is_counted_now
  )
  select
"bookings"."id", "bookings"."status", "bookings"."starts_at", "bookings"."name", "bookings"."email", "bookings"."phone", "bookings"."pronouns", "bookings"."idea", "bookings"."channel", "bookings"."confirmed_via", "bookings"."code_proven_at", "bookings"."cancellation_reason", "bookings"."closed_day_choice", "bookings"."studio_word", "bookings"."checkout_token_sealed", "bookings"."current_token_sealed",
mail.id as "mailId", mail.kind, mail.recipient, mail.attempts, mail.resends, mail.sequence,
(extract(epoch from mail.next_attempt_at) * 1000)::float8 as "dueAt",
coalesce(events.occurred_at, mail.created_at) as "occurredAt",
coalesce(mail.language, bookings.language) as language,
events.type as "eventType", coalesce(events.data, jsonb_build_object('id', "bookings"."id", 'status', "bookings"."status", 'date', "bookings"."date", 'time_slot', "bookings"."time_slot", 'starts_at_text', "bookings"."starts_at_text", 'ends_at_text', "bookings"."ends_at_text", 'artist_id', "bookings"."artist_id", 'artist_name', "bookings"."artist_name", 'timezone', "bookings"."timezone", 'label', "bookings"."label", 'created_at', "bookings"."created_at", 'expires_at', "bookings"."expires_at", 'confirmed_at', "bookings"."confirmed_at", 'cancelled_at', "bookings"."cancelled_at", 'expired_at', "bookings"."expired_at")) as data,
case when "mail"."artist_id" is null then bookings.sequence - bookings.quiet_changes
  else (
    select max(newer.sequence) from mails newer
    where newer.booking_id = "mail"."booking_id" and newer.artist_id = "mail"."artist_id"
  ) end as "bookingSequence",
artists.name as "artistName", artists.email as "artistEmail",
(select chosen.slug from artists chosen
  where chosen.id = bookings.artist_id and bookings.is_artist_chosen and chosen.hidden_at is null
    and exists (select from artists other where other.id <> chosen.id)) as "chosenArtist",
(
select json_agg(row_to_json(address) order by from_date) from (
  select from_date, street, city, region, postal_code, country from studio_addresses
  union all
  select coalesce(address_from, '0001-01-01'), street, city, region, postal_code, country from studio
) as address) as addresses,
mail.lapses_at as "lapsesAt", ("bookings"."status" = 'confirmed' and "bookings"."closed_day_choice" is null
  and is_closed_by_studio("bookings"."date", "bookings"."time_slot", "bookings"."artist_id",
    "bookings"."starts_at", "bookings"."ends_at")) as "isUndecided",
case when (mail.recipient = 'studio'
and (mail.kind = 'reminder' or mail.kind = 'conflict' and events.data ? 'left_undecided')) then coalesce((
  select jsonb_agg(jsonb_build_object(
    'id', other.id, 'name', other.name, 'date', other.date, 'time_slot', other.time_slot,
    'ends_at_text', other.ends_at_text, 'artist_name', other.artist_name, 'phone', other.phone)
    order by other.starts_at)
  from jsonb_array_elements_text(
    coalesce(events.data->'left_undecided', jsonb_build_array(bookings.id))) as left_there
    join bookings other on other.id = left_there::uuid
  where ("other"."status" = 'confirmed' and "other"."closed_day_choice" is null
  and is_closed_by_studio("other"."date", "other"."time_slot", "other"."artist_id",
    "other"."starts_at", "other"."ends_at")) and other.starts_at > booking_now()), '[]') end as "undecided",
mail.kind = 'reminder' and exists (
  select from bookings other
  where canonical_mailbox(other.email) = canonical_mailbox(bookings.email) and other.email is not null
    and other.confirmed_at is not null and other.reminders_stopped_at is not null
) as "remindersStopped",
mail.claimed_until as "claimedUntil", events.trace_context as "traceContext", mail.calendar_id as "calendarId", calendars.label,
calendars.read_at as "readAt", calendars.failing_since as "failingSince",
calendars.last_error as "lastError", calendars.last_status_code as "lastStatusCode",
calendars.unreadable, calendars.unreadable_told_at as "unreadableToldAt",
    case when mail.counted_at is not null and mail.kind <> 'code' then (
      select count(*) from mails other join bookings recipient on recipient.id = other.booking_id
      where canonical_mailbox(recipient.email) = canonical_mailbox(bookings.email)
        and recipient.email is not null
        and (recipient.confirmed_at is not null or recipient.code_asked_at is not null)
        and other.recipient = 'person' and other.kind <> 'code'
        and other.status in ('pending', 'sent')
        and other.counted_at > mail.counted_at - interval '1 day'
        and (other.counted_at, other.position) < (mail.counted_at, mail.position)
    ) + case when is_counted_now then row_number() over (
      partition by canonical_mailbox(bookings.email), is_counted_now order by mail.position
    ) - 1 else 0 end end::integer as "countedBefore"
  from mail
left join events on events.id = mail.event_id
left join bookings on bookings.id = mail.booking_id
left join watched_calendars calendars on calendars.id = mail.calendar_id
left join artists on artists.id = mail.artist_id
  order by mail.kind = 'code' desc, mail.kind = 'reminder', mail.next_attempt_at, mail.position;

commit;

-- hasDueMail
select least((
select next_attempt_at from mails
where status = 'pending' and mails.kind = 'code'
  and (claimed_until is null or claimed_until <= booking_now())
order by next_attempt_at limit 1), (
select next_attempt_at from mails
where status = 'pending' and mails.kind <> 'reminder' and mails.kind <> 'code'
  and (claimed_until is null or claimed_until <= booking_now())
order by next_attempt_at limit 1), (
select next_attempt_at from mails
where status = 'pending' and mails.kind = 'reminder'
  and (claimed_until is null or claimed_until <= booking_now())
order by next_attempt_at limit 1)) <= booking_now() as due;

-- recordMailOutcomes
with recorded as (
update mails
set status = case when outcome.status in ('released', 'postponed') then 'pending'
    else outcome.status end,
  reason = outcome.reason,
  attempts = attempts + outcome.attempted,
  last_attempt_at = case when outcome.attempted = 1 then moment.now else last_attempt_at end,
  last_reply_code =
    case when outcome.attempted = 1 then outcome."replyCode" else last_reply_code end,
  language = coalesce(mails.language, outcome.language),
  last_error = case when outcome.attempted = 1 then outcome.error else last_error end,
  next_attempt_at = case outcome.status
    when 'released' then next_attempt_at
    else moment.now + make_interval(secs => outcome."delaySeconds") end,
  ended_at = case when outcome.status not in ('pending', 'released', 'postponed')
    then moment.now end,
  claimed_until = null
from (select booking_now() as now) as moment, (
  select *, (status in ('sent', 'failed', 'pending'))::integer as attempted
  from jsonb_to_recordset($1::jsonb) as each (
    "mailId" uuid, "claimedUntil" timestamptz, status text, reason text, "replyCode" integer,
    language text, error text, "delaySeconds" float8)
) as outcome
where mails.id = any($2::uuid[]) and mails.id = outcome."mailId"
  and mails.status = 'pending' and (outcome.status = 'sent' or mails.claimed_until = outcome."claimedUntil")
returning mails.*, outcome.status as outcome, moment.now
)
insert into mails
  (event_id, booking_id, kind, recipient, sequence, created_at, next_attempt_at)
select event_id, booking_id, kind, 'studio', sequence, now, now from recorded
where outcome = 'postponed'
on conflict (event_id, recipient, kind) do nothing;

-- rereadMails
  select
"bookings"."id", "bookings"."status", "bookings"."starts_at", "bookings"."name", "bookings"."email", "bookings"."phone", "bookings"."pronouns", "bookings"."idea", "bookings"."channel", "bookings"."confirmed_via", "bookings"."code_proven_at", "bookings"."cancellation_reason", "bookings"."closed_day_choice", "bookings"."studio_word", "bookings"."checkout_token_sealed", "bookings"."current_token_sealed",
mail.id as "mailId", mail.kind, mail.recipient, mail.attempts, mail.resends, mail.sequence,
(extract(epoch from mail.next_attempt_at) * 1000)::float8 as "dueAt",
coalesce(events.occurred_at, mail.created_at) as "occurredAt",
coalesce(mail.language, bookings.language) as language,
events.type as "eventType", coalesce(events.data, jsonb_build_object('id', "bookings"."id", 'status', "bookings"."status", 'date', "bookings"."date", 'time_slot', "bookings"."time_slot", 'starts_at_text', "bookings"."starts_at_text", 'ends_at_text', "bookings"."ends_at_text", 'artist_id', "bookings"."artist_id", 'artist_name', "bookings"."artist_name", 'timezone', "bookings"."timezone", 'label', "bookings"."label", 'created_at', "bookings"."created_at", 'expires_at', "bookings"."expires_at", 'confirmed_at', "bookings"."confirmed_at", 'cancelled_at', "bookings"."cancelled_at", 'expired_at', "bookings"."expired_at")) as data,
case when "mail"."artist_id" is null then bookings.sequence - bookings.quiet_changes
  else (
    select max(newer.sequence) from mails newer
    where newer.booking_id = "mail"."booking_id" and newer.artist_id = "mail"."artist_id"
  ) end as "bookingSequence",
artists.name as "artistName", artists.email as "artistEmail",
(select chosen.slug from artists chosen
  where chosen.id = bookings.artist_id and bookings.is_artist_chosen and chosen.hidden_at is null
    and exists (select from artists other where other.id <> chosen.id)) as "chosenArtist",
(
select json_agg(row_to_json(address) order by from_date) from (
  select from_date, street, city, region, postal_code, country from studio_addresses
  union all
  select coalesce(address_from, '0001-01-01'), street, city, region, postal_code, country from studio
) as address) as addresses,
mail.lapses_at as "lapsesAt", ("bookings"."status" = 'confirmed' and "bookings"."closed_day_choice" is null
  and is_closed_by_studio("bookings"."date", "bookings"."time_slot", "bookings"."artist_id",
    "bookings"."starts_at", "bookings"."ends_at")) as "isUndecided",
case when (mail.recipient = 'studio'
and (mail.kind = 'reminder' or mail.kind = 'conflict' and events.data ? 'left_undecided')) then coalesce((
  select jsonb_agg(jsonb_build_object(
    'id', other.id, 'name', other.name, 'date', other.date, 'time_slot', other.time_slot,
    'ends_at_text', other.ends_at_text, 'artist_name', other.artist_name, 'phone', other.phone)
    order by other.starts_at)
  from jsonb_array_elements_text(
    coalesce(events.data->'left_undecided', jsonb_build_array(bookings.id))) as left_there
    join bookings other on other.id = left_there::uuid
  where ("other"."status" = 'confirmed' and "other"."closed_day_choice" is null
  and is_closed_by_studio("other"."date", "other"."time_slot", "other"."artist_id",
    "other"."starts_at", "other"."ends_at")) and other.starts_at > booking_now()), '[]') end as "undecided",
mail.kind = 'reminder' and exists (
  select from bookings other
  where canonical_mailbox(other.email) = canonical_mailbox(bookings.email) and other.email is not null
    and other.confirmed_at is not null and other.reminders_stopped_at is not null
) as "remindersStopped",
mail.claimed_until as "claimedUntil", events.trace_context as "traceContext", mail.calendar_id as "calendarId", calendars.label,
calendars.read_at as "readAt", calendars.failing_since as "failingSince",
calendars.last_error as "lastError", calendars.last_status_code as "lastStatusCode",
calendars.unreadable, calendars.unreadable_told_at as "unreadableToldAt"
  from mails as mail
left join events on events.id = mail.event_id
left join bookings on bookings.id = mail.booking_id
left join watched_calendars calendars on calendars.id = mail.calendar_id
left join artists on artists.id = mail.artist_id
  where mail.id = any($1::uuid[]) and mail.status = 'pending'
    and exists (select from installation where name = 'mail_on')
  order by array_position($2::uuid[], mail.id);
