import { sql, type Kysely } from 'kysely';

/** A trace leads from the request that recorded an event to what is made of it: its `traceparent`. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table events add column trace_context text
      check (trace_context ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-01$')`.execute(database);
}
