-- The statements of src/repositories/codes.ts. An argument that may be missing is given.

-- countCodeTry
  update mails set tries = tries + 1
  from (select booking_now() as now) as moment
  where id = (
    select id from mails newest
    where booking_id = $1 and recipient = 'person' and kind = 'code'
      and browser_hash = $2
    order by position desc limit 1
  ) and (
mails.used_at is null and mails.lapses_at > moment.now and mails.tries < 3)
  returning id as "mailId", 3 - tries as "triesLeft";

-- insertCode
with moment as materialized (select booking_now() as now),
asked as (
  update bookings set code_asked_at = moment.now from moment
  where id = $1 and email is not null and exists (select from installation where name = 'mail_on')
    and ((status = 'pending' and expires_at > moment.now)
      or (status = 'confirmed' and starts_at > moment.now))
  returning bookings.*
),
code as (
  insert into mails
    (booking_id, kind, recipient, sequence, created_at, next_attempt_at, lapses_at,
      browser_hash, network_hash, budget_share, is_beyond_totals)
  select id, 'code', 'person', sequence, moment.now, moment.now, least(
    moment.now + make_interval(secs => $2),
    case status when 'pending' then expires_at end),
    $3, $4::bytea, $5, $6::boolean
  from asked, moment
  returning *
)
select pg_notify($7, id || '-' || resends) from code;

-- listRecentCodes
  with moment as materialized (select booking_now() as now),
  asked as materialized (
    select id as asked_id, canonical_mailbox(email) as mailbox, (
code_proven_at is not null or confirmed_via is not distinct from 'code') as was_proven
    from bookings where id = $1
  ),
  recent as materialized (
    select mails.id as mail_id
    from moment, asked
      join bookings on canonical_mailbox(email) = mailbox
        and code_asked_at is not null and email is not null
      join mails on booking_id = bookings.id and recipient = 'person'
    where kind = 'code' and mails.created_at > moment.now - interval '1 day'
    union
    select mails.id from moment, mails
    where network_hash = any($2::bytea[])
      and mails.created_at > moment.now - interval '1 day'
  )
  select extract(epoch from moment.now - mails.created_at)::float8 as "ageSeconds",
    coalesce(network_hash = any($3::bytea[]), false) as "isOfNetwork",
    booking_id = asked_id as "isOfBooking",
    coalesce(canonical_mailbox(email) = mailbox, false) as "isOfMailbox",
    (
code_proven_at is not null or confirmed_via is not distinct from 'code') = was_proven as "isOfKind",
    is_beyond_totals as "isBeyondTotals",
    booking_id = asked_id and coalesce(browser_hash = $4, false) as "isOfBrowser",
    (
mails.used_at is null and mails.lapses_at > moment.now and mails.tries < 3) as "isLive", coalesce(
mails.opened_at > moment.now - make_interval(secs => 900), false) as "isOpen"
  from moment, asked, recent
    join mails on mails.id = mail_id
    join bookings on bookings.id = booking_id
  order by mails.created_at desc;

-- openCode
update mails set tries = tries - 1, opened_at = booking_now()
where id = $1;

-- readBrowserCode
  select mails.created_at as "createdAt", mails.lapses_at as "lapsesAt", mails.status,
    (
mails.used_at is null and mails.lapses_at > moment.now and mails.tries < 3) as "isLive", coalesce(
mails.opened_at > moment.now - make_interval(secs => 900), false) as "isOpen"
  from mails, (select booking_now() as now) as moment
  where booking_id = $1 and recipient = 'person' and kind = 'code'
    and browser_hash = $2
  order by position desc limit 1;

-- readLinkEffects
  with moment as materialized (select booking_now() as now),
  held as materialized (
    select bookings.id from bookings, moment where status = 'pending' and expires_at > moment.now
  )
  select (select count(*)::integer from held) as holds, (
    select count(*)::integer from mails, moment
    where kind = 'code' and booking_id in (select id from held) and (
mails.used_at is null and mails.lapses_at > moment.now and mails.tries < 3)) as codes;

-- readStudioWaits
select share, seconds
from (
  select coalesce(budget_share, 'common') as share,
    3600 - extract(epoch from moment.now - created_at)::float8 as seconds,
    row_number() over (partition by coalesce(budget_share, 'common') order by created_at desc) as number
  from mails, (select booking_now() as now) as moment
  where kind = 'code' and created_at > moment.now - interval '1 hour'
) as code
where number = ($1::jsonb ->> share)::integer;

-- wasCommonShareUsedUp
select from (
  select created_at - lag(created_at, $1) over (order by created_at) as span
  from mails, (select booking_now() as now) as moment
  where kind = 'code' and coalesce(budget_share, 'common') = 'common' and created_at > moment.now - interval '1 day'
) as code
where span < interval '1 hour'
limit 1;
