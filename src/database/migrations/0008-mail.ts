import { sql, type Kysely } from 'kysely';

/** Mails, made of event rows. They hold no address: it is read from the booking when one is sent. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await events(database);
  await bookings(database);
  await mails(database);
}

async function events(database: Kysely<unknown>): Promise<void> {
  // Marks all present rows, without writing them: what happened before is never mailed. Rows that a
  // process of the previous version inserts from here on are not marked.
  await sql`
    alter table events add column mail_dispatched_at timestamptz default '-infinity'`.execute(
    database,
  );
  await sql`alter table events alter column mail_dispatched_at drop default`.execute(database);
  await sql`
    create index events_without_mail on events (position) where mail_dispatched_at is null`.execute(
    database,
  );
}

async function bookings(database: Kysely<unknown>): Promise<void> {
  await sql`alter table bookings add column reminders_stopped_at timestamptz`.execute(database);
  // Whoever is mailed has confirmed once. Counts the mails of one mailbox.
  await sql`
    create index bookings_once_confirmed_by_mailbox on bookings (mailbox_of(email))
      where confirmed_at is not null and email is not null`.execute(database);
}

async function mails(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table mails (
      id uuid primary key default gen_random_uuid(),
      position bigint generated always as identity unique,
      event_id uuid not null references events (id) on delete cascade,
      booking_id uuid not null references bookings (id) on delete cascade,
      kind text not null check (kind in ('confirmation', 'move', 'cancellation', 'reminder')),
      recipient text not null check (recipient in ('person', 'studio')),
      created_at timestamptz not null,

      status text not null default 'pending' check (status in ('pending', 'sent', 'failed', 'dropped')),
      reason text check (reason in
        ('superseded', 'over', 'forgotten', 'stopped', 'daily_limit', 'mail_off', 'restored')),
      next_attempt_at timestamptz,
      attempts integer not null default 0,
      last_attempt_at timestamptz,
      last_reply_code integer,
      last_error text,
      ended_at timestamptz,
      resends integer not null default 0,
      counted_at timestamptz,
      claimed_until timestamptz,

      unique (event_id, recipient, kind),
      check ((status = 'pending') = (next_attempt_at is not null)),
      check ((status = 'pending') = (ended_at is null)),
      check ((status = 'dropped') = (reason is not null)),
      check (claimed_until is null or status = 'pending')
    ) with (fillfactor = 80)`.execute(database);
  await sql`
    create index mails_pending on mails (next_attempt_at) where status = 'pending'`.execute(
    database,
  );
  await sql`create index mails_by_booking on mails (booking_id, recipient, position)`.execute(
    database,
  );
  await sql`create index mails_failed on mails (ended_at) where status = 'failed'`.execute(
    database,
  );
}
