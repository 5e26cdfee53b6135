import { sql, type Kysely } from 'kysely';

/** The calendars that show the bookings elsewhere, and those elsewhere that close slots here. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table calendar_feeds (
      id uuid primary key default gen_random_uuid(),
      token_hash bytea not null unique,
      label text not null check (length(label) between 1 and 60),
      has_details boolean not null,
      created_at timestamptz not null
    )`.execute(database);
  await sql`
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
      check ((failing_since is null) = (last_error is null)),
      check (failure_told_at is null or failing_since is not null)
    )`.execute(database);
  await sql`
    create table busy_intervals (
      calendar_id uuid not null references watched_calendars on delete cascade,
      starts_at timestamptz not null,
      ends_at timestamptz not null,
      primary key (calendar_id, starts_at),
      check (starts_at < ends_at)
    )`.execute(database);
  // Read by each hold and by each load of the board.
  await sql`create index busy_intervals_by_end on busy_intervals (ends_at)`.execute(database);
  // The conflicts that were found between confirmed sessions and busy intervals: one mail for each.
  await sql`
    create table booking_conflicts (
      booking_id uuid not null references bookings on delete cascade,
      starts_at timestamptz not null,
      found_at timestamptz not null,
      primary key (booking_id, starts_at)
    )`.execute(database);
  await mails(database);
}

async function mails(database: Kysely<unknown>): Promise<void> {
  await sql`drop trigger add_event_to_mail on events`.execute(database);
  await sql`
    create trigger add_event_to_mail after insert on events for each row
      when (new.type in ('booking.confirmed', 'booking.moved', 'booking.cancelled',
        'booking.conflict', 'calendar.failing'))
      execute function add_event_to_mail()`.execute(database);
  // A mail is about a booking, or about a calendar that cannot be read.
  await sql`
    alter table mails
      alter column booking_id drop not null,
      add column calendar_id uuid references watched_calendars on delete cascade,
      drop constraint mails_kind_check,
      add constraint mails_kind_check check (kind in
        ('confirmation', 'move', 'cancellation', 'reminder', 'code', 'conflict', 'calendar_failure')),
      add check ((booking_id is null) = (kind = 'calendar_failure')),
      add check ((calendar_id is null) = (kind <> 'calendar_failure')),
      add check (recipient = 'studio' or kind not in ('conflict', 'calendar_failure'))`.execute(
    database,
  );
  await sql`create index mails_by_calendar on mails (calendar_id) where calendar_id is not null`.execute(
    database,
  );
}
