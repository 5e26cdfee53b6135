import { sql, type Kysely } from 'kysely';

/** The platforms whose addresses serve many people, and the platform of each booking. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table platforms (
      name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
      ranges cidr[] not null check (cardinality(ranges) > 0),
      reads_per_minute integer not null check (reads_per_minute > 0),
      holds_per_hour integer not null check (holds_per_hour > 0),
      live_bookings integer not null check (live_bookings > 0),
      pending_holds_percent integer not null check (pending_holds_percent between 1 and 100),
      created_at timestamptz not null
    )`.execute(database);
  await sql`
    create function announce_platforms() returns trigger language plpgsql as $$
    begin
      perform pg_notify('platforms', '');
      return null;
    end $$`.execute(database);
  await sql`
    create trigger announce_platforms after insert or update or delete on platforms
      for each statement execute function announce_platforms()`.execute(database);

  // Nullable: a process of the previous version inserts bookings without it. No reference: bookings
  // outlive their platform.
  await sql`alter table bookings add column platform text`.execute(database);
  await sql`
    create index bookings_live_by_platform on bookings (platform, created_at)
      where status in ('pending', 'confirmed') and platform is not null`.execute(database);
}
