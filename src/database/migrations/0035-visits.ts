import { sql, type Kysely } from 'kysely';

/** When each of the studio's people last looked at the console's first page, by the name of the session. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table console_visits (
      name text primary key,
      seen_at timestamptz not null,
      before_at timestamptz
    )`.execute(database);
  // What has happened since: few of the events, among those of holds and calendars.
  await sql`
    create index events_of_sessions on events (occurred_at)
      where type in ('booking.confirmed', 'booking.moved', 'booking.cancelled', 'booking.conflict')
    `.execute(database);
}
