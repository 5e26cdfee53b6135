import { sql, type Kysely } from 'kysely';

/**
 * How many changes since the one that a booking's mails tell of have told its person nothing, such as a
 * correction of its telephone number: mails that are not sent yet, reminders above all, stay of use.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table bookings add quiet_changes integer not null default 0 check (quiet_changes >= 0)`.execute(
    database,
  );
  // Any other change tells the person, also one by a process of a version before.
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
}
