import { sql, type Kysely } from 'kysely';

/** A trace leads from the request that recorded an event to what is made of it: its `traceparent`. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table events add column trace_context text`.execute(database);
  // NOT VALID: the rows that there are have none, and are not read for it under the table's lock.
  await sql`
    alter table events add constraint events_trace_context_check
      check (trace_context ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-01$') not valid`.execute(database);
}
