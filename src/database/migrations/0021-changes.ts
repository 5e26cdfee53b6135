import { sql, type Kysely } from 'kysely';

/**
 * How many changes since the one that a booking's mails tell of have left these of use, such as a
 * correction of its telephone number or another address of the studio: those that are not sent yet still
 * say what the person does not know.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table bookings add quiet_changes integer not null default 0 check (quiet_changes >= 0)`.execute(
    database,
  );
  // Any other change makes them pointless, also one by a process of a version before.
  await sql`
    create function end_quiet_changes() returns trigger language plpgsql as $$
      begin
        new.quiet_changes := 0;
        return new;
      end $$`.execute(database);
  await sql`
    create trigger bookings_end_quiet_changes before update of sequence on bookings for each row
      when (new.sequence <> old.sequence and old.quiet_changes > 0
        and new.quiet_changes = old.quiet_changes)
      execute function end_quiet_changes()`.execute(database);
  // So that a change of which clients see nothing ends no wait of theirs.
  await sql`
    create or replace function announce_event() returns trigger language plpgsql as $$
      begin
        perform pg_notify(
          'booking_events',
          json_build_object(
            'type', new.type, 'booking_id', new.booking_id, 'change', new.data->'change'
          )::text
        );
        return null;
      end $$`.execute(database);
}
