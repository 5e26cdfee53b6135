import { sql, type Kysely } from 'kysely';

/** The studio, its calendar, the bookings and their events. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await studio(database);
  await bookings(database);
  await events(database);
}

async function studio(database: Kysely<unknown>): Promise<void> {
  await sql`
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
      notices jsonb not null
    )`.execute(database);

  // Weekdays are ISO 8601's: 1 is Monday, 7 is Sunday.
  await sql`
    create table opening_hours (
      weekday smallint primary key check (weekday between 1 and 7),
      opens text check (opens ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
      closes text check (closes ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
      check ((opens is null) = (closes is null))
    )`.execute(database);

  await sql`create domain time_slot as text check (value in ('9:00 AM', '1:00 PM', '5:00 PM'))`.execute(
    database,
  );

  await sql`
    create table weekly_sessions (
      weekday smallint not null check (weekday between 1 and 7),
      time_slot time_slot not null,
      primary key (weekday, time_slot)
    )`.execute(database);

  await sql`
    create table closures (
      id uuid primary key default gen_random_uuid(),
      from_date date not null,
      to_date date not null,
      time_slot time_slot,
      reason text not null default '',
      created_at timestamptz not null default clock_timestamp(),
      check (to_date >= from_date)
    )`.execute(database);
  await sql`create index closures_by_date on closures (to_date, from_date)`.execute(database);

  // Facts about the installation, such as the id of its secret key.
  await sql`
    create table installation (
      name text primary key,
      value text not null
    )`.execute(database);
}

async function bookings(database: Kysely<unknown>): Promise<void> {
  // The clock of every decision. Tests replace the function to shift time.
  await sql`
    create function booking_now() returns timestamptz
      language sql volatile parallel safe
      as $$ select date_trunc('milliseconds', clock_timestamp()) $$`.execute(database);

  await sql`
    create table bookings (
      id uuid primary key default gen_random_uuid(),
      status text not null default 'pending'
        check (status in ('pending', 'confirmed', 'expired', 'cancelled')),
      date date not null,
      time_slot time_slot not null,
      starts_at timestamptz not null,
      starts_at_text text not null,
      timezone text not null,
      label text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      confirmed_at timestamptz,
      cancelled_at timestamptz,
      expired_at timestamptz,
      sequence integer not null default 0,

      name text,
      email text,
      phone text check (phone ~ '^[0-9]{10}$'),
      pronouns text,
      idea text,
      caller_hash bytea,

      api_key_id uuid,
      checkout_token_hash bytea not null,
      checkout_token_sealed bytea not null,
      idempotency_scope bytea,
      idempotency_key text,
      request_hash bytea,

      check (expires_at > created_at),
      check ((status = 'expired') = (expired_at is not null)),
      check (expired_at = expires_at),
      check ((status = 'cancelled') = (cancelled_at is not null)),
      check (status <> 'confirmed' or confirmed_at is not null),
      check (confirmed_at is null or confirmed_at < expires_at),
      check ((idempotency_key is null) = (idempotency_scope is null))
    )`.execute(database);

  // At most one hold or confirmed booking per slot.
  await sql`
    create unique index bookings_one_live_per_slot on bookings (date, time_slot)
      where status in ('pending', 'confirmed')`.execute(database);
  await sql`create unique index bookings_by_checkout_token on bookings (checkout_token_hash)`.execute(
    database,
  );
  await sql`
    create unique index bookings_by_idempotency_key on bookings (idempotency_scope, idempotency_key)
      where idempotency_key is not null`.execute(database);
  // Small: pending bookings are few. The caps and the expiry read it.
  await sql`
    create index bookings_pending on bookings (expires_at)
      include (caller_hash, api_key_id) where status = 'pending'`.execute(database);
}

async function events(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table events (
      id uuid primary key default gen_random_uuid(),
      position bigint generated always as identity unique,
      type text not null,
      booking_id uuid references bookings (id),
      occurred_at timestamptz not null,
      data jsonb not null,
      dispatched_at timestamptz
    )`.execute(database);
  await sql`create index events_undispatched on events (position) where dispatched_at is null`.execute(
    database,
  );
  await sql`create index events_by_booking on events (booking_id)`.execute(database);

  // Notifies the dispatcher, the board and the requests that wait for a booking's change.
  await sql`
    create function announce_event() returns trigger language plpgsql as $$
    begin
      perform pg_notify(
        'booking_events',
        json_build_object('type', new.type, 'booking_id', new.booking_id)::text
      );
      return null;
    end $$`.execute(database);
  await sql`
    create trigger announce_event after insert on events
      for each row execute function announce_event()`.execute(database);
}
