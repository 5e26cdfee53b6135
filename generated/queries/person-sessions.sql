-- The statements of src/repositories/person-sessions.ts. An argument that may be missing is given.

-- findSessionElsewhere
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
    where (select count(*) from artists) > 1 and date between $4::date - 2 and $5::date + 2
  and starts_at < $6::timestamptz
  and ends_at > $7::timestamptz
  and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now)) and id <> own_id and (
      ((caller_network_hash = own_network_hash or api_key_id = own_api_key_id) and ((canonical_mailbox(email) = canonical_mailbox(own_email) or (phone = own_phone and not exists (select from installation where name = 'code_on')))
  and translate(fold_letters(name), ' .-', '') = translate(fold_letters(own_name), ' .-', '')))
      or (exists (select from proof) and (code_proven_at is not null or confirmed_via in ('code', 'studio')) and canonical_mailbox(email) = canonical_mailbox(own_email) and translate(fold_letters(name), ' .-', '') = translate(fold_letters(own_name), ' .-', '')))
    limit 1
  )
  select * from elsewhere;

-- findSessionOfPerson
with moment as materialized (select booking_now() as now)
select bookings.* from bookings, moment
where (select count(*) from artists) > 1 and date between $1::date - 2 and $2::date + 2
and starts_at < $3::timestamptz
and ends_at > $4::timestamptz
and (status = 'confirmed' or (status = 'pending' and expires_at > moment.now)) and id is distinct from $5::uuid
  and ((canonical_mailbox(email) = canonical_mailbox($6) or phone = $7) and translate(fold_letters(name), ' .-', '') = translate(fold_letters($8), ' .-', ''))
order by starts_at, id
limit 1;

-- listOtherSessions
  with moment as materialized (select booking_now() as now)
  select own_id as id, other.* from moment, (
    select id as own_id, name as own_name, email as own_email, phone as own_phone
    from bookings where id = any($1::uuid[])
  ) as own, lateral (
    select id as "otherId", extract(epoch from starts_at)::float8 * 1000 as "startsAt",
extract(epoch from ends_at)::float8 * 1000 as "endsAt" from bookings
    where (status = 'confirmed' or (status = 'pending' and expires_at > moment.now)) and starts_at > moment.now - interval '1 day' and id <> own_id
      and ((canonical_mailbox(email) = canonical_mailbox(own_email) or phone = own_phone) and translate(fold_letters(name), ' .-', '') = translate(fold_letters(own_name), ' .-', ''))
  ) as other;

-- listSessionsOfCaller
  with moment as materialized (select booking_now() as now)
  select extract(epoch from starts_at)::float8 * 1000 as "startsAt",
extract(epoch from ends_at)::float8 * 1000 as "endsAt" from bookings, moment
  where (status = 'confirmed' or (status = 'pending' and expires_at > moment.now)) and starts_at > moment.now - interval '1 day'
    and id is distinct from $1::uuid
    and (caller_network_hash = any($2::bytea[])
  or api_key_id = any($3::uuid[])) and ((canonical_mailbox(email) = canonical_mailbox($4) or (phone = $5 and not exists (select from installation where name = 'code_on')))
  and translate(fold_letters(name), ' .-', '') = translate(fold_letters($6), ' .-', ''));
