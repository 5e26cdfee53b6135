-- The statements of src/repositories/studio.ts. An argument that may be missing is given.

-- loadCalendar
  select json_build_object(
    'now', floor(extract(epoch from booking_now()) * 1000),
    'mode', json_build_object(
'mail', exists (select from installation where name = 'mail_on'),
'confirmation', case when exists (select from installation where name = 'code_on') then 'code' else 'link' end),
    'studio', (select row_to_json(studio) from studio),
    'addresses', (
select json_agg(row_to_json(address) order by from_date) from (
  select from_date, street, city, region, postal_code, country from studio_addresses
  union all
  select coalesce(address_from, '0001-01-01'), street, city, region, postal_code, country from studio
) as address),
    'weekDays', (
      select coalesce(json_agg(row_to_json(week_days) order by artist_id, weekday, from_date), '[]')
      from week_days
      where to_date is null or to_date >= booking_now()::date - 2),
    'artists', (
      select json_agg(json_build_object(
        'id', id, 'slug', slug, 'name', name, 'about', about,
        'isHidden', hidden_at is not null,
        'first_day', first_day, 'last_day', last_day) order by position, id)
      from artists),
    'closures', (
      select coalesce(
        json_agg(json_build_object(
          'from_date', from_date, 'to_date', to_date, 'time_slot', time_slot,
          'artist_id', artist_id,
          'starts_at', floor(extract(epoch from starts_at) * 1000),
          'ends_at', floor(extract(epoch from ends_at) * 1000)) order by id),
        '[]')
      from closures where to_date >= booking_now()::date - 2),
    'openings', (
      select coalesce(json_object_agg(date, sessions), '{}') from (
        select date, json_agg(time_slot order by time_slot) as sessions
        from openings where date >= booking_now()::date - 2 group by date) as opened),
    'busy', (
      select coalesce(
        json_agg(json_build_object(
          'startsAt', floor(extract(epoch from starts_at) * 1000),
          'endsAt', floor(extract(epoch from ends_at) * 1000),
          'artistId', artist_id) order by starts_at, ends_at, artist_id),
        '[]')
      from busy_intervals join watched_calendars on watched_calendars.id = calendar_id
      where ends_at >= (select booking_now() - interval '2 days')),
    'liveBookings', (
      select coalesce(
        json_agg(json_build_object(
          'id', id, 'date', date, 'time_slot', time_slot, 'sequence', sequence,
          'artist_id', artist_id,
          'starts_at', floor(extract(epoch from starts_at) * 1000),
          'ends_at', floor(extract(epoch from ends_at) * 1000),
          'lapses_at', case status
            when 'pending' then floor(extract(epoch from expires_at) * 1000) end)),
        '[]')
      from bookings
      where status in ('pending', 'confirmed') and date >= booking_now()::date - 2)
  ) as calendar;
