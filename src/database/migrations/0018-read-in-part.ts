import { sql, type Kysely } from 'kysely';

/**
 * What of a watched calendar cannot be read, whether it has events, and its address before a permanent
 * redirect replaced it.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table watched_calendars
      add unreadable jsonb,
      add unreadable_told_at timestamptz,
      add has_events boolean not null default false,
      add empty_since timestamptz,
      add former_address_sealed bytea,
      add former_address_hash bytea,
      add check ((former_address_sealed is null) = (former_address_hash is null))`.execute(
    database,
  );
  // Of those that were read before, whose events are known only by their intervals.
  await sql`
    update watched_calendars set has_events = true
    where id in (select calendar_id from busy_intervals)`.execute(database);
}
