import { sql, type Kysely } from 'kysely';

/** Indexes for the caps of live bookings: by e-mail, phone, the caller's network and its API key. */
export async function up(database: Kysely<unknown>): Promise<void> {
  // Nullable: a process of the previous version inserts bookings without it.
  await sql`alter table bookings add column caller_network_hash bytea`.execute(database);

  // Addresses of one mailbox differ in case, and in what follows a plus sign.
  await sql`
    create function mailbox_of(email text) returns text
      language sql immutable strict parallel safe
      as $$ select lower(regexp_replace(email, '^([^+]+)[+].*@', '\\1@')) $$`.execute(database);

  for (const [name, columns] of [
    ['mailbox', 'mailbox_of(email)'],
    ['phone', 'phone'],
    ['network', 'caller_network_hash, created_at'],
    ['key', 'api_key_id, created_at'],
  ] as const) {
    await sql`
      create index ${sql.ref(`bookings_live_by_${name}`)} on bookings (${sql.raw(columns)})
        where status in ('pending', 'confirmed')`.execute(database);
  }
}
