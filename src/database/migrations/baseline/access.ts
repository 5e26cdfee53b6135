import { sql } from 'kysely';

/** API keys, as hashes, and the platforms whose addresses serve many people. */
export const access = sql`
  create table api_keys (
    id uuid primary key default gen_random_uuid(),
    key_hash bytea not null unique check (octet_length(key_hash) = 32),
    email text not null,
    label text,
    created_at timestamptz not null,
    last_used_at timestamptz,
    revoked_at timestamptz,
    network_hash bytea
  );
  -- The studio revokes keys by e-mail address.
  create index api_keys_by_email on api_keys (lower(email));
  create index api_keys_by_network on api_keys (network_hash)
    where revoked_at is null and network_hash is not null;

  create function announce_api_key_revocation() returns trigger language plpgsql as $$
    begin
      perform pg_notify('api_key_revocations', old.id::text);
      return null;
    end $$;
  create trigger announce_api_key_revocation after update of revoked_at or delete on api_keys
    for each row execute function announce_api_key_revocation();

  create table platforms (
    name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
    ranges cidr[] not null check (cardinality(ranges) > 0),
    reads_per_minute integer not null check (reads_per_minute > 0),
    holds_per_hour integer not null check (holds_per_hour > 0),
    live_bookings integer not null check (live_bookings > 0),
    pending_holds_percent integer not null check (pending_holds_percent between 1 and 100),
    created_at timestamptz not null
  );

  create function announce_platforms() returns trigger language plpgsql as $$
    begin
      perform pg_notify('platforms', '');
      return null;
    end $$;
  create trigger announce_platforms after insert or update or delete on platforms
    for each statement execute function announce_platforms();
`;
