-- The statements of src/repositories/clients.ts. An argument that may be missing is given.

-- findBookingOfMailbox
select * from bookings where (not (status = 'pending' and expires_at <= booking_now()) and (
(confirmed_at is not null and "email" is not null and canonical_mailbox(email) = canonical_mailbox($1))
or (status in ('pending', 'confirmed') and canonical_mailbox(email) = canonical_mailbox($2)))) and true
order by starts_at desc, created_at desc, id
limit $3;

-- findClientJoined
select * from bookings where (not (status = 'pending' and expires_at <= booking_now()) and (
(confirmed_at is not null and "email" is not null and canonical_mailbox(email) = canonical_mailbox($1))
or (status in ('pending', 'confirmed') and canonical_mailbox(email) = canonical_mailbox($2)))) and (canonical_mailbox(email) = canonical_mailbox($3)) is not true
and id <> all($4::uuid[]) and true
order by starts_at desc, created_at desc, id
limit $5;

-- listBookingsOfClient
select * from bookings where (id = $1 or (not (status = 'pending' and expires_at <= booking_now()) and (
(confirmed_at is not null and "email" is not null and canonical_mailbox(email) = canonical_mailbox($2))
or (status in ('pending', 'confirmed') and canonical_mailbox(email) = canonical_mailbox($3))))) and artist_id = $4
order by starts_at desc, created_at desc, id
limit $5;

-- listClients
  with of_clients as (
    select id,
coalesce(canonical_mailbox(email), phone || ' ' || translate(fold_letters(name), ' .-', ''), id::text) as client, status, starts_at, created_at, no_show_at,
      (status in ('pending', 'confirmed') and not (status = 'pending' and expires_at <= booking_now()) and ends_at > booking_now()) as is_to_come, (name is not null and (
  ((select fold_letters($1)) <> ''
    and position((select fold_letters($2)) in fold_letters(name || E'\n' || coalesce(email, ''))) > 0)
  or ($3 and phone like $4))) as is_found
    from bookings
    where name is not null and not (status = 'pending' and expires_at <= booking_now())
      and (confirmed_at is not null or status = 'pending')
      and artist_id = $5
  ),
  clients as (
    select (array_agg(id order by is_to_come desc, case when is_to_come then starts_at end,
        starts_at desc, created_at desc))[1] as shown_id,
      count(*) filter (where status = 'confirmed')::integer as sessions,
      count(no_show_at)::integer as no_shows, bool_or(is_to_come) as is_to_come
    from of_clients
    group by client
    having bool_or(is_found)
  )
  select bookings.*, sessions, no_shows, is_to_come
  from clients join bookings on bookings.id = shown_id
  order by is_to_come desc, case when is_to_come then starts_at end, starts_at desc, shown_id
  limit $6 offset $7;

-- listClientsOfPhones
  select distinct on (
coalesce(canonical_mailbox(email), phone || ' ' || translate(fold_letters(name), ' .-', ''), id::text)) * from bookings
  where (not (status = 'pending' and expires_at <= booking_now()) and (
  (confirmed_at is not null and "phone" is not null and phone = any($1::text[]))
  or (status in ('pending', 'confirmed') and phone = any($2::text[])))) and name is not null
    and (canonical_mailbox(email) = canonical_mailbox($3)) is not true and artist_id = $4
  order by
coalesce(canonical_mailbox(email), phone || ' ' || translate(fold_letters(name), ' .-', ''), id::text), starts_at desc;

-- listOthersToCome
select * from bookings where status = 'confirmed' and (status in ('pending', 'confirmed') and not (status = 'pending' and expires_at <= booking_now()) and ends_at > booking_now()) and id <> $1
and canonical_mailbox(email) = canonical_mailbox($2) and translate(fold_letters(name), ' .-', '') = translate(fold_letters($3), ' .-', '') and artist_id = $4
order by starts_at desc, created_at desc, id
limit $5;
