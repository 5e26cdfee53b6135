-- The statements of src/repositories/artist-rows.ts. An argument that may be missing is given.

-- countRowsOfArtist
select count(*)::integer as found from (
  select 'booking' as kind, id, artist_id from bookings
  union all
  select 'mail', mails.id, bookings.artist_id
  from mails join bookings on bookings.id = booking_id
  where mails.artist_id is null or mails.artist_id = bookings.artist_id
  union all select 'closure', id, artist_id from closures
  union all select 'feed', id, artist_id from calendar_feeds
  union all select 'session', id, artist_id from console_sessions
  union all select 'passkey', id, artist_id from passkeys
) as named
where kind = $1 and id = any($2::uuid[]) and artist_id = $3;
