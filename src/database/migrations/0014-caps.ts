import { sql, type Kysely } from 'kysely';

/**
 * What the caps of a person and of API keys count: mailboxes as their providers read them, and the
 * network that minted a key.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await mailboxes(database);
  await apiKeys(database);
}

/**
 * Processes of the previous version use `mailbox_of` and its indexes, which only a later migration can
 * drop.
 */
async function mailboxes(database: Kysely<unknown>): Promise<void> {
  // Addresses of one mailbox differ in case, and in what follows a plus sign; at Gmail, which is also
  // googlemail.com, in dots, and at Proton in dots, hyphens and underscores. At the other large
  // providers (Outlook, Yahoo, iCloud) a dot makes another mailbox. A look-ahead, since an expression
  // that reads `email` once is inlined.
  await sql`
    create function canonical_mailbox(email text) returns text
      language sql immutable strict parallel safe
      as $$ select regexp_replace(
        regexp_replace(
          regexp_replace(lower(email), '^([^+]+)[+].*@', '\\1@'),
          '@googlemail[.]com$', '@gmail.com'),
        '[.](?=.*@gmail[.]com$)|[._-](?=.*@(proton[.]me|protonmail[.](com|ch)|pm[.]me)$)',
        '', 'g') $$`.execute(database);
  await sql`
    create index bookings_live_by_canonical_mailbox on bookings (canonical_mailbox(email))
      where status in ('pending', 'confirmed')`.execute(database);
  await sql`
    create index bookings_mailed_by_canonical_mailbox on bookings (canonical_mailbox(email))
      where (confirmed_at is not null or code_asked_at is not null) and email is not null`.execute(
    database,
  );
}

async function apiKeys(database: Kysely<unknown>): Promise<void> {
  // Nullable: a process of the previous version creates keys without it.
  await sql`alter table api_keys add column network_hash bytea`.execute(database);
  await sql`
    create index api_keys_by_network on api_keys (network_hash)
      where revoked_at is null and network_hash is not null`.execute(database);
}
