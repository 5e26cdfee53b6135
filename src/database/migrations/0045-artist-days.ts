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

    alter function is_closed_by_studio(date, text, integer, timestamptz, timestamptz)
      rename to is_in_closure;
    create function is_closed_by_studio(
      day date, session text, artist integer, begins timestamptz, ends timestamptz
    ) returns boolean language sql stable parallel safe
      as $$ select is_in_closure(day, session, artist, begins, ends)
          or exists (select from artists where id = artist
            and (hidden_at is not null or day < first_day or day > last_day)) $$;

    update bookings set closed_day_choice = 'kept'
    where status in ('pending', 'confirmed') and closed_day_choice is null
      and date >= (select booking_now()::date - 2)
      and artist_id in (select id from artists where hidden_at is not null)
      and not is_in_closure(date, time_slot, artist_id, starts_at, ends_at)`.execute(database);
}
