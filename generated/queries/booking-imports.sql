-- The statements of src/repositories/booking-imports.ts. An argument that may be missing is given.

-- lastBooked
select id, at from artists, lateral (
  select max(created_at) as at from bookings
  where artist_id = artists.id and status in ('pending', 'confirmed')
) as last where at is not null;

-- listBookingsEverOn
  select bookings.id, status, translate(fold_letters(name), ' .-', '') as "foldedName",
canonical_mailbox(email) as mailbox, phone, bookings.date, bookings.time_slot,
  bookings.artist_id, starts_at as "startsAt",
  ends_at as "endsAt",
  bookings.id in (
    select (details->>'booking_id')::uuid from audit_log where action = 'bookings correct'
  ) as "isCorrected", true as "isThere",
    json_build_object('date', date, 'time_slot', time_slot) as "wasIn"
  from bookings
  where status in ('pending', 'confirmed')
    and not (status = 'pending' and expires_at <= booking_now())
    and date = any($1::date[])
  union all
  select bookings.id, status, translate(fold_letters(name), ' .-', '') as "foldedName",
canonical_mailbox(email) as mailbox, phone, bookings.date, bookings.time_slot,
  bookings.artist_id, starts_at as "startsAt",
  ends_at as "endsAt",
  bookings.id in (
    select (details->>'booking_id')::uuid from audit_log where action = 'bookings correct'
  ) as "isCorrected", false, json_build_object(
    'date', events.data->>'date', 'time_slot', events.data->>'time_slot')
  from bookings join events on events.booking_id = bookings.id
  where channel = 'studio' and type = 'booking.confirmed'
    and events.data->>'date' = any($2::text[]);

-- personKeys
  select translate(fold_letters(name), ' .-', '') as "foldedName",
canonical_mailbox(email) as mailbox, phone
  from unnest($1::text[], $2::text[], $3::text[])
    with ordinality as given (name, email, phone, place)
  order by place;
