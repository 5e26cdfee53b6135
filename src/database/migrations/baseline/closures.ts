import { sql } from 'kysely';

/** The days and sessions that the studio closes, for one artist or for all. */
export const closures = sql`
  create table closures (
    id uuid primary key default gen_random_uuid(),
    from_date date not null,
    to_date date not null,
    time_slot time_slot,
    reason text not null default '',
    created_at timestamptz not null default clock_timestamp(),
    artist_id integer references artists (id),
    check (to_date >= from_date)
  );
  create index closures_by_date on closures (to_date, from_date);

  create function is_closed_by_studio(day date, session text) returns boolean
    language sql stable parallel safe
    as $$ select exists (
        select from closures
        where from_date <= day and to_date >= day and (time_slot is null or time_slot = session)
      ) $$;

  create function is_closed_by_studio(day date, session text, artist integer) returns boolean
    language sql stable parallel safe
    as $$ select exists (
        select from closures
        where from_date <= day and to_date >= day and (time_slot is null or time_slot = session)
          and (artist_id is null or artist_id = artist)
      ) $$;
`;
