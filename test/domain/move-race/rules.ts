import type pg from 'pg';

/**
 * Has the database itself judge each slot that a person takes, in the transaction, at its commit: the
 * artist's week has the session, the artist is there and shown, and nothing closes it. Without any code of
 * the service.
 */
export async function installRules(database: pg.Pool): Promise<void> {
  await database.query(`
    create table race_findings (finding text not null);
    create function judge_taking() returns trigger language plpgsql as $$
      declare
        taken bookings;
        them artists;
        day text[];
      begin
        select * into taken from bookings where id = new.booking_id;
        select * into them from artists where id = taken.artist_id;
        select sessions into day from week_days
        where weekday = extract(isodow from taken.date)
          and coalesce(artist_id, taken.artist_id) = taken.artist_id
          and coalesce(taken.date between from_date and to_date, true)
        order by (artist_id is not null) desc, (from_date is not null) desc limit 1;
        insert into race_findings
        select concat_ws(' ', new.type, taken.id, 'took', taken.date, taken.time_slot, them.name, why)
        from (values
          ('outside of the week', not taken.time_slot::text = any (day) and not exists (
            select from openings where date = taken.date and time_slot = taken.time_slot)),
          ('of a hidden artist', them.hidden_at is not null),
          ('of an artist who is away', taken.date < them.first_day or taken.date > them.last_day),
          ('closed', exists (
            select from closures where coalesce(artist_id, them.id) = them.id
              and case when starts_at is null
                then taken.date between from_date and to_date
                  and coalesce(time_slot, taken.time_slot) = taken.time_slot
                else tstzrange(starts_at, ends_at) && tstzrange(taken.starts_at, taken.ends_at) end))
        ) as rule (why, is_broken)
        where is_broken;
        return null;
      end $$;
    create constraint trigger judge_taking after insert on events
      deferrable initially deferred for each row
      when (new.type = 'hold.created' or (new.type = 'booking.moved' and new.data ->> 'by' = 'person'))
      execute function judge_taking()`);
}

/** What the rules have found so far, and the pairs of sessions that one artist or person has at one time. */
export async function readFindings(database: pg.Pool): Promise<string[]> {
  const { rows } = await database.query<{ finding: string }>(`
    with live as materialized (
      select *, canonical_mailbox(email) || lower(name) || encode(caller_network_hash, 'hex') as person
      from bookings where status = 'confirmed' or (status = 'pending' and expires_at > booking_now())
    )
    select finding from race_findings
    union all
    select concat_ws(' ', one.id, 'and', other.id, 'overlap, of one',
      case when one.artist_id = other.artist_id then 'artist' else 'person' end)
    from live as one, live as other
    where one.id < other.id and one.starts_at < other.ends_at and one.ends_at > other.starts_at
      and (one.person = other.person
        or (one.artist_id = other.artist_id and not (one.may_overlap or other.may_overlap)))`);
  return rows.map(({ finding }) => finding);
}
