import { sql, type Kysely } from 'kysely';

/**
 * Moves, bookings that the studio adds, no-shows, and the reason of a cancellation. Every column is
 * nullable or has a default: a process of the previous version inserts bookings without them.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table bookings
      add column channel text check (channel in ('rest', 'mcp', 'page', 'studio')),
      add column confirmed_via text check (confirmed_via in ('link', 'code', 'studio')),
      add column moves_while_pending smallint not null default 0 check (moves_while_pending >= 0),
      add column moves_once_confirmed smallint not null default 0 check (moves_once_confirmed >= 0),
      add column moved_at timestamptz,
      add column no_show_at timestamptz check (no_show_at >= starts_at),
      add column cancellation_reason text
        check (cancellation_reason is null or status = 'cancelled')`.execute(database);
}
