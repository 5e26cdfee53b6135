import { sql, type Kysely } from 'kysely';

/** Who is signed in to the studio's console, and how. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table console_links (
      token_hash bytea primary key,
      name text not null check (length(name) between 1 and 60),
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(database);
  await sql`
    create table passkeys (
      id uuid primary key default gen_random_uuid(),
      credential_id text not null unique,
      public_key bytea not null,
      counter bigint not null check (counter >= 0),
      transports text[] not null,
      name text not null check (length(name) between 1 and 60),
      created_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(database);
  // Removing a passkey ends the sessions that it started.
  await sql`
    create table console_sessions (
      id uuid primary key default gen_random_uuid(),
      token_hash bytea not null unique,
      name text not null check (length(name) between 1 and 60),
      passkey_id uuid references passkeys on delete cascade,
      signed_in_at timestamptz not null,
      last_seen_at timestamptz not null
    )`.execute(database);
  await sql`create index console_sessions_by_passkey on console_sessions (passkey_id)`.execute(
    database,
  );
  // Counted before each further one is recorded.
  await sql`
    create index audit_log_refused_sign_ins on audit_log (occurred_at)
      where action = 'console sign-in refused'`.execute(database);
  // The history of a booking, and the bookings of a day.
  await sql`create index audit_log_details on audit_log using gin (details jsonb_path_ops)`.execute(
    database,
  );
  await sql`create index bookings_by_date on bookings (date, starts_at, created_at)`.execute(
    database,
  );
  await sql`
    create table used_challenges (
      challenge_hash bytea primary key,
      expires_at timestamptz not null
    )`.execute(database);
}
