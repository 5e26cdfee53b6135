import { sql, type Kysely } from 'kysely';

/**
 * A code belongs to the browser that asked for it, and counts towards budgets of the network from which
 * it was asked for. `bookings.code_tries` stays for processes of the previous version.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  // Nullable: a process of the previous version makes codes without them.
  await sql`
    alter table mails add column browser_hash bytea, add column network_hash bytea,
      add column tries integer not null default 0, add column opened_at timestamptz,
      add column budget_share text, add column is_beyond_totals boolean not null default false
  `.execute(database);
  // NOT VALID: the rows that there are have none, and are not read for it under the table's lock.
  await sql`
    alter table mails add constraint mails_budget_share_check
      check (budget_share in ('common', 'confirmed', 'new_network')) not valid`.execute(database);
  await sql`
    create index mails_codes_by_network on mails (network_hash, created_at)
      where network_hash is not null`.execute(database);
  await sql`alter table bookings add column code_proven_at timestamptz`.execute(database);
}
