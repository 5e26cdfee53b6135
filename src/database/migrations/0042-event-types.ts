import { sql, type Kysely } from 'kysely';

/**
 * Gives changes that keep the slot event types of their own: 2.9 recorded them as moves, so that 2.8 made
 * mails of them. Ids and positions stay, and with them what is made of the events.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    update events
    set type = case data->>'change'
        when 'details' then 'booking.corrected'
        when 'address' then 'booking.readdressed'
        when 'zone_data' then 'booking.retimed'
        when 'asked' then 'booking.asked'
        when 'kept' then 'booking.kept'
      end,
      -- The slot before and after it is one, but for the instant.
      data = case data->>'change' when 'zone_data' then data - 'change'
        else data - array['change', 'from', 'to'] end
    where type = 'booking.moved' and data ? 'change';

    drop trigger add_event_to_mail on events;
    create trigger add_event_to_mail after insert on events for each row
      when (new.type in ('booking.confirmed', 'booking.moved', 'booking.corrected',
        'booking.readdressed', 'booking.retimed', 'booking.asked', 'booking.kept',
        'booking.cancelled', 'booking.conflict', 'calendar.failing'))
      execute function add_event_to_mail();

    create or replace function announce_event() returns trigger language plpgsql as $$
      begin
        perform pg_notify(
          'booking_events',
          json_build_object('type', new.type, 'booking_id', new.booking_id)::text
        );
        return null;
      end $$`.execute(database);
}
