import { sql, type Kysely } from 'kysely';

/** After this migration, no process of 2.9 takes a slot, is ready or starts. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`select raise_minimum_version('3.0.0')`.execute(database);
  // A new database has validated these two, an adopted one has not.
  await sql`alter table events validate constraint events_trace_context_check`.execute(database);
  await sql`alter table mails validate constraint mails_budget_share_check`.execute(database);
}
