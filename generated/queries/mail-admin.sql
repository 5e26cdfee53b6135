-- The statements of src/repositories/mail-admin.ts. An argument that may be missing is given.

-- countMailProblems
  select
    (select count(*)::integer from mails where (
mails.status = 'pending' and mails.next_attempt_at < booking_now() - interval '1 minute'
and (mails.claimed_until is null or mails.claimed_until < booking_now())
and not exists (
  select 1 from mails earlier
  where earlier.booking_id = mails.booking_id and (case when "mails"."artist_id" is null
  then "earlier"."recipient" = "mails"."recipient"
  else "earlier"."artist_id" = "mails"."artist_id" end)
    and earlier.position < mails.position
    and earlier.status = 'pending' and earlier.kind not in ('reminder', 'code')
    and mails.kind <> 'code'))) as overdue,
    (select count(*)::integer from mails where (
mails.status = 'failed' and mails.dismissed_at is null and mails.ended_at > booking_now() - interval '7 days')) as failed;

-- deleteOldCodes
delete from mails
where kind = 'code' and created_at < booking_now() - make_interval(days => $1);

-- deleteOldMails
delete from mails
where id in (
  select id from mails
  where ended_at < (select booking_now() - make_interval(days => $1))
  order by ended_at
  limit 1000);

-- dismissFailedMails
update mails set dismissed_at = booking_now()
where status = 'failed' and dismissed_at is null
  and ($1::uuid is null or id = $2::uuid)
  and ($3::timestamptz is null or ended_at <= $4::timestamptz)
returning id, booking_id;

-- listFailedMailsSince
select "mails".*, "bookings"."label" as "booking_label", "bookings"."date" as "booking_date", "bookings"."time_slot" as "booking_time_slot", "bookings"."ends_at_text" as "booking_ends_at_text", "bookings"."artist_name" as "booking_artist_name", "bookings"."name" as "booking_name", "bookings"."email" as "booking_email", exists (
        select from events
        where events.booking_id = mails.booking_id and type = 'booking.corrected'
          and not (data->>'is_quiet')::boolean
          and (data->>'sequence')::integer > mails.sequence) as "has_former_email", "calendars"."label" as "calendar_label", "artists"."name" as "artist_name", "artists"."email" as "artist_email", case when booking_id is not null then
          mails.sequence < case when "mails"."artist_id" is null then bookings.sequence - bookings.quiet_changes
    else (
      select max(newer.sequence) from mails newer
      where newer.booking_id = "mails"."booking_id" and newer.artist_id = "mails"."artist_id"
    ) end
          or mails.kind <> 'code' and exists (
            select from mails later
            where later.booking_id = mails.booking_id and (case when "mails"."artist_id" is null
    then "later"."recipient" = "mails"."recipient"
    else "later"."artist_id" = "mails"."artist_id" end)
              and later.kind not in ('code', 'conflict') and later.sequence > mails.sequence)
        else not exists (
          select from events where events.id = mails.event_id and (
            calendars.failing_since <= occurred_at
            or calendars.unreadable is not null and calendars.unreadable_told_at = occurred_at
          )
        ) end as "is_superseded" from "mails" left join "bookings" on "bookings"."id" = "mails"."booking_id" left join "watched_calendars" as "calendars" on "calendars"."id" = "mails"."calendar_id" left join "artists" on "artists"."id" = "mails"."artist_id" where (bookings.artist_id = $1
    and (mails.artist_id is null or mails.artist_id = $2)) and "mails"."status" = $3 and "mails"."dismissed_at" is null and "mails"."ended_at" > $4 order by "mails"."ended_at" desc limit $5;

-- listMailErrors
  select distinct last_error as error, last_reply_code as "replyCode" from mails
  where last_error is not null and (status = 'pending' or (
mails.status = 'failed' and mails.dismissed_at is null and mails.ended_at > booking_now() - interval '7 days'))
  order by 1, 2 limit 5;

-- listMailProblems
select "mails".*, "bookings"."label" as "booking_label", "bookings"."date" as "booking_date", "bookings"."time_slot" as "booking_time_slot", "bookings"."ends_at_text" as "booking_ends_at_text", "bookings"."artist_name" as "booking_artist_name", "bookings"."name" as "booking_name", "bookings"."email" as "booking_email", exists (
        select from events
        where events.booking_id = mails.booking_id and type = 'booking.corrected'
          and not (data->>'is_quiet')::boolean
          and (data->>'sequence')::integer > mails.sequence) as "has_former_email", "calendars"."label" as "calendar_label", "artists"."name" as "artist_name", "artists"."email" as "artist_email", case when booking_id is not null then
          mails.sequence < case when "mails"."artist_id" is null then bookings.sequence - bookings.quiet_changes
    else (
      select max(newer.sequence) from mails newer
      where newer.booking_id = "mails"."booking_id" and newer.artist_id = "mails"."artist_id"
    ) end
          or mails.kind <> 'code' and exists (
            select from mails later
            where later.booking_id = mails.booking_id and (case when "mails"."artist_id" is null
    then "later"."recipient" = "mails"."recipient"
    else "later"."artist_id" = "mails"."artist_id" end)
              and later.kind not in ('code', 'conflict') and later.sequence > mails.sequence)
        else not exists (
          select from events where events.id = mails.event_id and (
            calendars.failing_since <= occurred_at
            or calendars.unreadable is not null and calendars.unreadable_told_at = occurred_at
          )
        ) end as "is_superseded" from "mails" left join "bookings" on "bookings"."id" = "mails"."booking_id" left join "watched_calendars" as "calendars" on "calendars"."id" = "mails"."calendar_id" left join "artists" on "artists"."id" = "mails"."artist_id" where ((
  mails.status = 'pending' and mails.next_attempt_at < booking_now() - interval '1 minute'
  and (mails.claimed_until is null or mails.claimed_until < booking_now())
  and not exists (
    select 1 from mails earlier
    where earlier.booking_id = mails.booking_id and (case when "mails"."artist_id" is null
    then "earlier"."recipient" = "mails"."recipient"
    else "earlier"."artist_id" = "mails"."artist_id" end)
      and earlier.position < mails.position
      and earlier.status = 'pending' and earlier.kind not in ('reminder', 'code')
      and mails.kind <> 'code')) or (
  mails.status = 'failed' and mails.dismissed_at is null and mails.ended_at > booking_now() - interval '7 days')) order by "mails"."position" desc limit $1;

-- listMails
select "mails".*, "bookings"."label" as "booking_label", "bookings"."date" as "booking_date", "bookings"."time_slot" as "booking_time_slot", "bookings"."ends_at_text" as "booking_ends_at_text", "bookings"."artist_name" as "booking_artist_name", "bookings"."name" as "booking_name", "bookings"."email" as "booking_email", exists (
        select from events
        where events.booking_id = mails.booking_id and type = 'booking.corrected'
          and not (data->>'is_quiet')::boolean
          and (data->>'sequence')::integer > mails.sequence) as "has_former_email", "calendars"."label" as "calendar_label", "artists"."name" as "artist_name", "artists"."email" as "artist_email", case when booking_id is not null then
          mails.sequence < case when "mails"."artist_id" is null then bookings.sequence - bookings.quiet_changes
    else (
      select max(newer.sequence) from mails newer
      where newer.booking_id = "mails"."booking_id" and newer.artist_id = "mails"."artist_id"
    ) end
          or mails.kind <> 'code' and exists (
            select from mails later
            where later.booking_id = mails.booking_id and (case when "mails"."artist_id" is null
    then "later"."recipient" = "mails"."recipient"
    else "later"."artist_id" = "mails"."artist_id" end)
              and later.kind not in ('code', 'conflict') and later.sequence > mails.sequence)
        else not exists (
          select from events where events.id = mails.event_id and (
            calendars.failing_since <= occurred_at
            or calendars.unreadable is not null and calendars.unreadable_told_at = occurred_at
          )
        ) end as "is_superseded" from "mails" left join "bookings" on "bookings"."id" = "mails"."booking_id" left join "watched_calendars" as "calendars" on "calendars"."id" = "mails"."calendar_id" left join "artists" on "artists"."id" = "mails"."artist_id" where mails.id::text like $1 and mails.booking_id::text like $2 and "mails"."status" in $3 and (bookings.artist_id = $4
    and (mails.artist_id is null or mails.artist_id = $5)) and "mails"."position" < $6 order by "mails"."position" desc limit $7;

-- listMailsOfBooking
select * from "mails" where booking_id = $1
order by position desc limit $2;

-- lockMail
select "mails".*, "bookings"."label" as "booking_label", "bookings"."date" as "booking_date", "bookings"."time_slot" as "booking_time_slot", "bookings"."ends_at_text" as "booking_ends_at_text", "bookings"."artist_name" as "booking_artist_name", "bookings"."name" as "booking_name", "bookings"."email" as "booking_email", exists (
        select from events
        where events.booking_id = mails.booking_id and type = 'booking.corrected'
          and not (data->>'is_quiet')::boolean
          and (data->>'sequence')::integer > mails.sequence) as "has_former_email", "calendars"."label" as "calendar_label", "artists"."name" as "artist_name", "artists"."email" as "artist_email", case when booking_id is not null then
          mails.sequence < case when "mails"."artist_id" is null then bookings.sequence - bookings.quiet_changes
    else (
      select max(newer.sequence) from mails newer
      where newer.booking_id = "mails"."booking_id" and newer.artist_id = "mails"."artist_id"
    ) end
          or mails.kind <> 'code' and exists (
            select from mails later
            where later.booking_id = mails.booking_id and (case when "mails"."artist_id" is null
    then "later"."recipient" = "mails"."recipient"
    else "later"."artist_id" = "mails"."artist_id" end)
              and later.kind not in ('code', 'conflict') and later.sequence > mails.sequence)
        else not exists (
          select from events where events.id = mails.event_id and (
            calendars.failing_since <= occurred_at
            or calendars.unreadable is not null and calendars.unreadable_told_at = occurred_at
          )
        ) end as "is_superseded" from "mails" left join "bookings" on "bookings"."id" = "mails"."booking_id" left join "watched_calendars" as "calendars" on "calendars"."id" = "mails"."calendar_id" left join "artists" on "artists"."id" = "mails"."artist_id" where "mails"."id" = $1 and (bookings.artist_id = $2
    and (mails.artist_id is null or mails.artist_id = $3)) for update of "mails";

-- makeMailDue
with made_due as (
  update mails
  set status = 'pending', next_attempt_at = booking_now(), resends = resends + 1, attempts = 0,
    last_attempt_at = null, last_reply_code = null, last_error = null, counted_at = null,
    claimed_until = null, ended_at = null, reason = null, dismissed_at = null
  where id = $1 and status <> 'pending'
  returning *
)
select pg_notify($2, id || '-' || resends) from made_due;

-- readNewsStatus
select case
  when exists (
    select from events_to_mail
    where event_id in (select id from events where booking_id = $1)
  ) then 'pending'
  else (
    select status from mails
    where booking_id = $2 and recipient = 'person'
      and kind in ('confirmation', 'move')
    order by position desc limit 1
  )
end as status;
