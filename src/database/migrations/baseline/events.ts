import { sql } from 'kysely';

/** What happened, recorded in the transaction of the change. */
export const events = sql`
  create table events (
    id uuid primary key default gen_random_uuid(),
    position bigint generated always as identity unique,
    type text not null,
    booking_id uuid references bookings (id),
    occurred_at timestamptz not null,
    data jsonb not null,
    dispatched_at timestamptz,
    -- Stored, so that every attempt sends the same bytes, also after an update of the service.
    webhook_body text,
    trace_context text check (trace_context ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-01$')
  );
  create index events_undispatched on events (position) where dispatched_at is null;
  create index events_by_booking on events (booking_id);
  -- What has happened since: few of the events, among those of holds and calendars.
  create index events_of_sessions on events (occurred_at)
    where type in ('booking.confirmed', 'booking.moved', 'booking.cancelled', 'booking.conflict');

  -- Notifies the dispatcher, the board and the requests that wait for a booking's change. A change of
  -- which clients see nothing ends no wait of theirs.
  create function announce_event() returns trigger language plpgsql as $$
      begin
        perform pg_notify(
          'booking_events',
          json_build_object(
            'type', new.type, 'booking_id', new.booking_id, 'change', new.data->'change'
          )::text
        );
        return null;
      end $$;
  create trigger announce_event after insert on events
    for each row execute function announce_event();

  -- The events whose mails are not made yet.
  create table events_to_mail (
    event_id uuid primary key references events (id) on delete cascade
  );
  create function add_event_to_mail() returns trigger language plpgsql as $$
    begin
      insert into events_to_mail (event_id) values (new.id);
      return null;
    end $$;
  create trigger add_event_to_mail after insert on events for each row
    when (new.type in ('booking.confirmed', 'booking.moved', 'booking.cancelled',
      'booking.conflict', 'calendar.failing'))
    execute function add_event_to_mail();
`;
