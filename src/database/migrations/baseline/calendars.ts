import { sql } from 'kysely';

/** The calendars that show the bookings elsewhere, and those elsewhere that close slots here. */
export const calendars = sql`
  create table calendar_feeds (
    id uuid primary key default gen_random_uuid(),
    token_hash bytea not null unique,
    label text not null check (length(label) between 1 and 60),
    has_details boolean not null,
    created_at timestamptz not null,
    artist_id integer references artists (id)
  );

  create table watched_calendars (
    id uuid primary key default gen_random_uuid(),
    label text not null check (length(label) between 1 and 60),
    host text not null,
    address_sealed bytea not null,
    address_hash bytea not null unique,
    created_at timestamptz not null,
    etag text,
    read_window text,
    read_at timestamptz,
    failing_since timestamptz,
    last_error text,
    last_status_code integer,
    failure_told_at timestamptz,
    next_fetch_at timestamptz not null,
    claimed_until timestamptz,
    unreadable jsonb,
    unreadable_told_at timestamptz,
    has_events boolean not null default false,
    empty_since timestamptz,
    former_address_sealed bytea,
    former_address_hash bytea,
    artist_id integer references artists (id),
    check ((failing_since is null) = (last_error is null)),
    check (failure_told_at is null or failing_since is not null),
    check ((former_address_sealed is null) = (former_address_hash is null))
  );

  create table busy_intervals (
    calendar_id uuid not null references watched_calendars on delete cascade,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    primary key (calendar_id, starts_at),
    check (starts_at < ends_at)
  );
  -- Read by each hold and by each load of the board.
  create index busy_intervals_by_end on busy_intervals (ends_at);

  -- The conflicts that were found between confirmed sessions and busy intervals: one mail for each.
  create table booking_conflicts (
    booking_id uuid not null references bookings on delete cascade,
    starts_at timestamptz not null,
    found_at timestamptz not null,
    primary key (booking_id, starts_at)
  );
`;
