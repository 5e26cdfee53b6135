import { sql, type Kysely } from 'kysely';

/** From which version of the time zone data the instants of bookings follow. */
export async function up(database: Kysely<unknown>): Promise<void> {
  // By bytes, versions are in their order: 2025b, 2025c, 2026a.
  await sql`
    create table zone_data (
      timezone text primary key,
      version text collate "C" not null check (version ~ '^[0-9]{4}[a-z]{1,2}$'),
      recorded_at timestamptz not null
    )`.execute(database);
  await sql`alter table bookings add zone_data_version text collate "C"`.execute(database);
  // Also a process of a version before gives a booking another slot.
  await sql`
    create function forget_zone_data_version() returns trigger language plpgsql as $$
      begin
        new.zone_data_version := null;
        return new;
      end $$`.execute(database);
  await sql`
    create trigger bookings_forget_zone_data_version
      before update of date, time_slot, timezone on bookings for each row
      when ((new.date, new.time_slot, new.timezone) is distinct from
        (old.date, old.time_slot, old.timezone))
      execute function forget_zone_data_version()`.execute(database);
}
