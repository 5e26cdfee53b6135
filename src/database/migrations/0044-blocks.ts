import { sql, type Kysely } from 'kysely';

/**
 * Closures of some hours of one date. Processes of 3.0 would take them for closures of the whole day.
 * `starts_at` and `ends_at` are those hours by the newest data of the studio's time zone.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    select raise_minimum_version('3.1.0');
    alter table closures
      add column from_time text check (from_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
      add column to_time text
        check (to_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' or to_time = '24:00'),
      add column starts_at timestamptz,
      add column ends_at timestamptz,
      add constraint closures_hours check (
        (num_nonnulls(from_time, to_time, starts_at, ends_at) = 0)
        or (num_nulls(from_time, to_time, starts_at, ends_at) = 0
          and from_date = to_date and time_slot is null
          and from_time < to_time collate "C" and starts_at <= ends_at));

    create function is_closed_by_studio(
      day date, session text, artist integer, begins timestamptz, ends timestamptz
    ) returns boolean language sql stable parallel safe
      as $$ select exists (
          select from closures
          -- The dates of any two zones differ by two at most.
          where from_date <= day + 2 and to_date >= day - 2
            and (artist_id is null or artist_id = artist)
            and case when starts_at is null
              then from_date <= day and to_date >= day and (time_slot is null or time_slot = session)
              else starts_at < ends and ends_at > begins end
        ) $$;

    create or replace function choose_closed_day() returns trigger language plpgsql as $$
      begin
        new.closed_day_choice := case when is_closed_by_studio(
          new.date, new.time_slot, new.artist_id, new.starts_at, new.ends_at) then 'kept' end;
        return new;
      end $$`.execute(database);
}
