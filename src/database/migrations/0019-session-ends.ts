import { sql, type Kysely } from 'kysely';

/** When a session ends; null in bookings of versions before 2.9.0. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table bookings
      add ends_at timestamptz check (ends_at > starts_at),
      add ends_at_text text,
      add check ((ends_at is null) = (ends_at_text is null))`.execute(database);
  // A process of a version before moves a booking, and leaves the end of the former session.
  await sql`
    create function forget_session_end() returns trigger language plpgsql as $$
      begin
        new.ends_at := null;
        new.ends_at_text := null;
        return new;
      end $$`.execute(database);
  await sql`
    create trigger bookings_forget_session_end before update of starts_at on bookings for each row
      when (new.starts_at <> old.starts_at and new.ends_at_text is not distinct from old.ends_at_text)
      execute function forget_session_end()`.execute(database);
}
