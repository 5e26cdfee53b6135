import { sql } from 'kysely';

/** Who is signed in to the studio's console, and how, and what the studio did there and by commands. */
export const studioConsole = sql`
  create table console_links (
    token_hash bytea primary key,
    name text not null check (length(name) between 1 and 60),
    created_at timestamptz not null,
    expires_at timestamptz not null
  );

  create table passkeys (
    id uuid primary key default gen_random_uuid(),
    credential_id text not null unique,
    public_key bytea not null,
    counter bigint not null check (counter >= 0),
    transports text[] not null,
    name text not null check (length(name) between 1 and 60),
    created_at timestamptz not null,
    last_used_at timestamptz
  );

  -- Removing a passkey ends the sessions that it started.
  create table console_sessions (
    id uuid primary key default gen_random_uuid(),
    token_hash bytea not null unique,
    name text not null check (length(name) between 1 and 60),
    passkey_id uuid references passkeys on delete cascade,
    signed_in_at timestamptz not null,
    last_seen_at timestamptz not null
  );
  create index console_sessions_by_passkey on console_sessions (passkey_id);

  create table used_challenges (
    challenge_hash bytea primary key,
    expires_at timestamptz not null
  );

  create table console_visits (
    name text primary key,
    seen_at timestamptz not null,
    before_at timestamptz
  );

  -- Never personal data of a customer.
  create table audit_log (
    id uuid primary key default gen_random_uuid(),
    position bigint generated always as identity unique,
    occurred_at timestamptz not null,
    actor text not null,
    action text not null,
    details jsonb not null
  );
  -- Counted before each further one is recorded.
  create index audit_log_refused_sign_ins on audit_log (occurred_at)
    where action = 'console sign-in refused';
  -- The history of a booking.
  create index audit_log_details on audit_log using gin (details jsonb_path_ops);
`;
