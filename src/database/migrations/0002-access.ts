import { sql, type Kysely } from 'kysely';

/** API keys, as hashes, and a notification when one is revoked. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_keys (
      id uuid primary key default gen_random_uuid(),
      key_hash bytea not null unique check (octet_length(key_hash) = 32),
      email text not null,
      label text,
      created_at timestamptz not null,
      last_used_at timestamptz,
      revoked_at timestamptz
    )`.execute(database);
  // The studio revokes keys by e-mail address.
  await sql`create index api_keys_by_email on api_keys (lower(email))`.execute(database);

  await sql`
    create function announce_api_key_revocation() returns trigger language plpgsql as $$
    begin
      perform pg_notify('api_key_revocations', old.id::text);
      return null;
    end $$`.execute(database);
  await sql`
    create trigger announce_api_key_revocation
      after update of revoked_at or delete on api_keys
      for each row execute function announce_api_key_revocation()`.execute(database);
}
