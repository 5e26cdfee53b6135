import { sql, type Kysely } from 'kysely';

/**
 * The first and last days of artists. Sessions of artists who are not there count as sessions on closed
 * days: those of who is hidden at the upgrade are kept, as hiding has kept them so far.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`select raise_minimum_version('3.1.0')`.execute(database);
  await sql`
    alter table artists
      add column first_day date,
      add column last_day date,
      -- Hidden since they were added: nobody has looked at their week and first day.
      add column is_new boolean not null default false,
      add check (first_day <= last_day),
      add check (not is_new or hidden_at is not null);

    update bookings set closed_day_choice = 'kept'
    where status in ('pending', 'confirmed') and closed_day_choice is null
      and date >= (select booking_now()::date - 2)
      and artist_id in (select id from artists where hidden_at is not null)
      and not is_closed_by_studio(date, time_slot, artist_id, starts_at, ends_at);

    create or replace function is_closed_by_studio(
      day date, session text, artist integer, begins timestamptz, ends timestamptz
    ) returns boolean language sql stable parallel safe
      as $$ select exists (
          select from closures
          where from_date <= day + 2 and to_date >= day - 2
            and (artist_id is null or artist_id = artist)
            and case when starts_at is null
              then from_date <= day and to_date >= day and (time_slot is null or time_slot = session)
              else starts_at < ends and ends_at > begins end
        ) or exists (
          select from artists where id = artist
            and (hidden_at is not null or day < first_day or day > last_day)
        ) $$`.execute(database);
}
