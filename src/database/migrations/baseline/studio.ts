import { sql } from 'kysely';

/** The studio, its week, and the dates that differ from it. Weekdays are ISO 8601's: 1 is Monday. */
export const studio = sql`
  create domain time_slot as text check (value in ('9:00 AM', '1:00 PM', '5:00 PM'));

  create table studio (
    id smallint primary key default 1 check (id = 1),
    name text not null,
    description text not null,
    timezone text not null,
    street text not null,
    city text not null,
    region text not null,
    postal_code text not null,
    country text not null,
    email text not null,
    phone text not null,
    website text not null,
    notices jsonb not null,
    address_from date
  );

  create table studio_addresses (
    from_date date primary key,
    street text not null,
    city text not null,
    region text not null,
    postal_code text not null,
    country text not null
  );

  create table opening_hours (
    weekday smallint primary key check (weekday between 1 and 7),
    opens text check (opens ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
    closes text check (closes ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' or closes = '24:00'),
    check ((opens is null) = (closes is null))
  );

  create table weekly_sessions (
    weekday smallint not null check (weekday between 1 and 7),
    time_slot time_slot not null,
    primary key (weekday, time_slot)
  );

  create table openings (
    date date not null,
    time_slot time_slot not null,
    created_at timestamptz not null,
    primary key (date, time_slot)
  );

  -- By bytes, versions are in their order: 2025b, 2025c, 2026a.
  create table zone_data (
    timezone text primary key,
    version text collate "C" not null check (version ~ '^[0-9]{4}[a-z]{1,2}$'),
    recorded_at timestamptz not null
  );
`;
