import { sql, type Kysely } from 'kysely';

/** Mails, made of event rows or, with a code, because a person asks. They contain no address: it is read from the booking when one is sent. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await events(database);
  await bookings(database);
  await mails(database);
}

async function events(database: Kysely<unknown>): Promise<void> {
  // The events whose mails are not made yet. A trigger adds them, which also covers processes of the
  // previous version; events from before this migration are not added.
  await sql`
    create table events_to_mail (
      event_id uuid primary key references events (id) on delete cascade
    )`.execute(database);
  await sql`
    create function add_event_to_mail() returns trigger language plpgsql as $$
    begin
      insert into events_to_mail (event_id) values (new.id);
      return null;
    end $$`.execute(database);
  await sql`
    create trigger add_event_to_mail after insert on events for each row
      when (new.type in ('booking.confirmed', 'booking.moved', 'booking.cancelled'))
      execute function add_event_to_mail()`.execute(database);
}

async function bookings(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table bookings add column reminders_stopped_at timestamptz,
      add column code_asked_at timestamptz,
      add column code_tries integer not null default 0,
      add column code_tries_since timestamptz`.execute(database);
  // For the mails and the reminders of one mailbox: only these bookings have any.
  await sql`
    create index bookings_mailed_by_mailbox on bookings (mailbox_of(email))
      where (confirmed_at is not null or code_asked_at is not null) and email is not null`.execute(
    database,
  );
}

async function mails(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table mails (
      id uuid primary key default gen_random_uuid(),
      position bigint generated always as identity unique,
      event_id uuid references events (id) on delete cascade,
      booking_id uuid not null references bookings (id) on delete cascade,
      kind text not null check (kind in ('confirmation', 'move', 'cancellation', 'reminder', 'code')),
      recipient text not null check (recipient in ('person', 'studio')),
      sequence integer not null,
      created_at timestamptz not null,

      status text not null default 'pending' check (status in ('pending', 'sent', 'failed', 'dropped')),
      reason text check (reason in
        ('superseded', 'over', 'forgotten', 'stopped', 'daily_limit', 'mail_off', 'restored',
          'lapsed')),
      next_attempt_at timestamptz,
      attempts integer not null default 0,
      last_attempt_at timestamptz,
      last_reply_code integer,
      last_error text,
      ended_at timestamptz,
      resends integer not null default 0,
      counted_at timestamptz,
      claimed_until timestamptz,
      lapses_at timestamptz,
      used_at timestamptz,

      unique (event_id, recipient, kind),
      check ((status = 'pending') = (next_attempt_at is not null)),
      check ((status = 'pending') = (ended_at is null)),
      check ((status = 'dropped') = (reason is not null)),
      check (claimed_until is null or status = 'pending'),
      check ((kind = 'code') = (event_id is null)),
      check ((kind = 'code') = (lapses_at is not null)),
      check (used_at is null or kind = 'code')
    ) with (fillfactor = 80)`.execute(database);
  // Three indexes, because codes are sent before all other mails, and reminders after them.
  await sql`
    create index mails_pending on mails (next_attempt_at, position)
      where status = 'pending' and kind <> 'reminder' and kind <> 'code'`.execute(database);
  await sql`
    create index mails_pending_reminders on mails (next_attempt_at, position)
      where status = 'pending' and kind = 'reminder'`.execute(database);
  await sql`
    create index mails_pending_codes on mails (next_attempt_at, position)
      where status = 'pending' and kind = 'code'`.execute(database);
  await sql`create index mails_codes on mails (created_at) where kind = 'code'`.execute(database);
  await sql`create index mails_by_booking on mails (booking_id, recipient, position)`.execute(
    database,
  );
  await sql`create index mails_ended on mails (ended_at) where ended_at is not null`.execute(
    database,
  );
}
