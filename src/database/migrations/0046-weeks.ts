import { sql, type Kysely } from 'kysely';

/**
 * One table of weeks, of the studio and of artists, that go on or count from a day to a day. Each day of an
 * artist's own week stays theirs, also those without sessions.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    select raise_minimum_version('3.1.0');

    create table week_days (
      artist_id integer references artists (id),
      weekday smallint not null check (weekday between 1 and 7),
      from_date date,
      to_date date,
      opens text check (opens ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
      closes text check (closes ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' or closes = '24:00'),
      sessions text[] not null check (sessions <@ array['9:00 AM', '1:00 PM', '5:00 PM']),
      check ((opens is null) = (closes is null)),
      check ((from_date is null) = (to_date is null)),
      check (from_date <= to_date),
      constraint week_days_apart exclude using gist (
        int4range(coalesce(artist_id, 0), coalesce(artist_id, 0), '[]') with &&,
        int4range(weekday, weekday, '[]') with &&,
        daterange(from_date, to_date, '[]') with &&
      ) where (from_date is not null)
    );
    create unique index week_days_that_go_on on week_days (coalesce(artist_id, 0), weekday)
      where from_date is null;

    insert into week_days (artist_id, weekday, opens, closes, sessions)
    select null, weekday, opens, closes, array(
      select time_slot::text from weekly_sessions
      where weekly_sessions.weekday = opening_hours.weekday order by time_slot::text::time)
    from opening_hours
    union all
    select id, weekday, null, null, array(
      select time_slot::text from artist_sessions
      where artist_id = artists.id and artist_sessions.weekday = days.weekday
      order by time_slot::text::time)
    from artists cross join generate_series(1, 7) as days (weekday)
    where has_own_week;

    drop table opening_hours, weekly_sessions, artist_sessions;
    alter table artists drop column has_own_week`.execute(database);
}
