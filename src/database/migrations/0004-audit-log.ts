import { sql, type Kysely } from 'kysely';

/** The studio's actions, by its commands or its nightly job: never personal data of a customer. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_log (
      id uuid primary key default gen_random_uuid(),
      position bigint generated always as identity unique,
      occurred_at timestamptz not null,
      actor text not null,
      action text not null,
      details jsonb not null
    )`.execute(database);
}
