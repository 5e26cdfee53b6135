import { sql, type Kysely } from 'kysely';

/**
 * A subscription that has not succeeded yet, or fails without end, has few deliveries. Processes of the
 * previous version leave both columns as they are.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table webhook_subscriptions
      add column failures_in_a_row integer not null default 0 check (failures_in_a_row >= 0),
      add column skipped integer not null default 0 check (skipped >= 0)`.execute(database);
}
