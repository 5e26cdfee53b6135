import { sql, type Kysely } from 'kysely';

/** What the studio decides about a booking that is on a day which it has closed. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table bookings
      add closed_day_choice text check (closed_day_choice in ('kept', 'asked')),
      add studio_word text`.execute(database);
  await sql`
    create function is_closed_by_studio(day date, session text) returns boolean
      language sql stable parallel safe
      as $$ select exists (
        select from closures
        where from_date <= day and to_date >= day and (time_slot is null or time_slot = session)
      ) $$`.execute(database);
  // People cannot take a closed slot: the studio has placed the booking there on purpose. A booking
  // that leaves its slot is decided, also where a process of a version before moves it.
  await sql`
    create function choose_closed_day() returns trigger language plpgsql as $$
      begin
        new.closed_day_choice := case when is_closed_by_studio(new.date, new.time_slot) then 'kept' end;
        return new;
      end $$`.execute(database);
  await sql`
    create trigger bookings_add_to_closed_day before insert on bookings for each row
      when (new.status = 'confirmed') execute function choose_closed_day()`.execute(database);
  await sql`
    create trigger bookings_move_to_closed_day before update of date, time_slot on bookings
      for each row when ((new.date, new.time_slot) is distinct from (old.date, old.time_slot))
      execute function choose_closed_day()`.execute(database);
  // Who closed a day before could not be asked.
  await sql`
    update bookings set closed_day_choice = 'kept'
    where status in ('pending', 'confirmed') and date >= (select booking_now()::date - 2)
      and is_closed_by_studio(date, time_slot)`.execute(database);
}
