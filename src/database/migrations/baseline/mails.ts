import { sql } from 'kysely';

/**
 * Mails, made of event rows or, with a code, because a person asks. They contain no address: it is read
 * from the booking when one is sent. A mail is about a booking, or about a calendar that cannot be read.
 */
export const mails = sql`
  create table mails (
    id uuid primary key default gen_random_uuid(),
    position bigint generated always as identity unique,
    event_id uuid references events (id) on delete cascade,
    booking_id uuid references bookings (id) on delete cascade,
    kind text not null check (kind in
      ('confirmation', 'move', 'cancellation', 'reminder', 'code', 'conflict', 'calendar_failure')),
    recipient text not null check (recipient in ('person', 'studio', 'artist', 'former_artist')),
    sequence integer not null,
    created_at timestamptz not null,

    status text not null default 'pending' check (status in ('pending', 'sent', 'failed', 'dropped')),
    reason text check (reason in
      ('superseded', 'over', 'forgotten', 'no_address', 'stopped', 'daily_limit', 'mail_off',
        'restored', 'lapsed')),
    next_attempt_at timestamptz,
    attempts integer not null default 0,
    last_attempt_at timestamptz,
    last_reply_code integer,
    last_error text,
    ended_at timestamptz,
    resends integer not null default 0,
    counted_at timestamptz,
    claimed_until timestamptz,
    lapses_at timestamptz,
    used_at timestamptz,

    calendar_id uuid references watched_calendars on delete cascade,
    browser_hash bytea,
    network_hash bytea,
    tries integer not null default 0,
    opened_at timestamptz,
    budget_share text check (budget_share in ('common', 'confirmed', 'new_network')),
    is_beyond_totals boolean not null default false,
    artist_id integer references artists (id),
    dismissed_at timestamptz,

    unique (event_id, recipient, kind),
    check ((status = 'pending') = (next_attempt_at is not null)),
    check ((status = 'pending') = (ended_at is null)),
    check ((status = 'dropped') = (reason is not null)),
    check (claimed_until is null or status = 'pending'),
    check ((kind = 'code') = (event_id is null)),
    check ((kind = 'code') = (lapses_at is not null)),
    check (used_at is null or kind = 'code'),
    check ((booking_id is null) = (kind = 'calendar_failure')),
    check ((calendar_id is null) = (kind <> 'calendar_failure')),
    check (recipient = 'studio' or kind not in ('conflict', 'calendar_failure')),
    check ((artist_id is not null) = (recipient in ('artist', 'former_artist')))
  ) with (fillfactor = 80);

  -- Three indexes, because codes are sent before all other mails, and reminders after them.
  create index mails_pending on mails (next_attempt_at, position)
    where status = 'pending' and kind <> 'reminder' and kind <> 'code';
  create index mails_pending_reminders on mails (next_attempt_at, position)
    where status = 'pending' and kind = 'reminder';
  create index mails_pending_codes on mails (next_attempt_at, position)
    where status = 'pending' and kind = 'code';

  create index mails_codes on mails (created_at) where kind = 'code';
  create index mails_codes_by_network on mails (network_hash, created_at)
    where network_hash is not null;
  create index mails_by_booking on mails (booking_id, recipient, position);
  create index mails_by_calendar on mails (calendar_id) where calendar_id is not null;
  create index mails_ended on mails (ended_at) where ended_at is not null;
`;
