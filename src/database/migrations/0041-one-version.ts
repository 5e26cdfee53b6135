import { sql, type Kysely } from 'kysely';

/** Drops what served processes before 2.9, and gives every booking its end. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    drop trigger bookings_forget_session_end on bookings;
    drop trigger bookings_add_to_artist on bookings;
    drop trigger bookings_move_to_artist on bookings;
    drop function forget_session_end(), require_artist(), is_closed_by_studio(date, text);

    create or replace function lock_slots(version text) returns void language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(1752132708);
        perform require_version(version);
      end $$;

    drop index bookings_pending, bookings_live_by_mailbox, bookings_mailed_by_mailbox;
    drop function mailbox_of(text);
    alter table bookings
      drop column caller_hash,
      drop column code_tries,
      drop column code_tries_since;
    create index bookings_pending on bookings (expires_at)
      include (api_key_id) where status = 'pending'`.execute(database);
  await sessionEnds(database);
  // 2.8 kept these on a closed day, and left them so when it opened the day again.
  await sql`
    update bookings set closed_day_choice = null
    where closed_day_choice = 'kept' and status in ('pending', 'confirmed')
      and date >= (select booking_now()::date - 2)
      and not is_closed_by_studio(date, time_slot, artist_id)`.execute(database);
  await sql`
    alter table bookings
      alter column ends_at set not null,
      alter column ends_at_text set not null,
      drop constraint bookings_check10,
      drop constraint bookings_apart,
      add constraint bookings_apart exclude using gist (
        int4range(artist_id, artist_id, '[]') with &&,
        tstzrange(starts_at, ends_at) with &&
      ) where (status in ('pending', 'confirmed') and not may_overlap)`.execute(database);
}

/**
 * Bookings of versions before 2.9 had no end: they end with the next session, four hours after their start,
 * at the closing time or at midnight, whichever comes first on the clock of their start. Those that overlap
 * another one then may.
 */
async function sessionEnds(database: Kysely<unknown>): Promise<void> {
  await sql`
    with sessions as materialized (
      select id, artist_id, date, status in ('pending', 'confirmed') as is_live, starts_at,
        ends_at is null as was_open,
        coalesce(ends_at, starts_at + (last - first)) as ends_at,
        coalesce(ends_at_text,
          to_char(last, 'YYYY-MM-DD"T"HH24:MI:SS') || substr(starts_at_text, 20)) as ends_at_text
      from bookings
        left join lateral (
          select first, min(each) as last
          from (select left(starts_at_text, 19)::timestamp as first) as start
            left join opening_hours on weekday = extract(isodow from first),
            unnest(array[
              first + interval '4 hours',
              date_trunc('day', first) + interval '9 hours',
              date_trunc('day', first) + interval '13 hours',
              date_trunc('day', first) + interval '17 hours',
              date_trunc('day', first) + closes::interval,
              date_trunc('day', first) + interval '24 hours'
            ]) as each
          where each > first
          group by first
        ) as clock on ends_at is null
    ),
    overlapping as materialized (
      select one.id, other.id as other_id
      from sessions one
        cross join generate_series(-2, 2) as days
        join sessions other on other.artist_id = one.artist_id and other.date = one.date + days
      where one.was_open and one.is_live and other.is_live and other.id <> one.id
        and other.ends_at > one.starts_at and other.starts_at < one.ends_at
    ),
    placed_so as materialized (
      select id from overlapping union select other_id from overlapping
    )
    update bookings
    set ends_at = sessions.ends_at, ends_at_text = sessions.ends_at_text,
      may_overlap = may_overlap or bookings.id in (select id from placed_so)
    from sessions
    where sessions.id = bookings.id
      and (sessions.was_open or bookings.id in (select id from placed_so))`.execute(database);
}
