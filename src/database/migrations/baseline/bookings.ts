import { sql } from 'kysely';

export const bookings = sql`
  -- The clock of every decision. Tests replace the function to shift time.
  create function booking_now() returns timestamptz
    language sql volatile parallel safe
    as $$ select date_trunc('milliseconds', clock_timestamp()) $$;

  create table bookings (
    id uuid primary key default gen_random_uuid(),
    status text not null default 'pending'
      check (status in ('pending', 'confirmed', 'expired', 'cancelled')),
    date date not null,
    time_slot time_slot not null,
    starts_at timestamptz not null,
    starts_at_text text not null,
    timezone text not null,
    label text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    confirmed_at timestamptz,
    cancelled_at timestamptz,
    expired_at timestamptz,
    sequence integer not null default 0,

    name text,
    email text,
    phone text check (phone ~ '^[0-9]{10}$'),
    pronouns text,
    idea text,
    caller_hash bytea,

    api_key_id uuid,
    checkout_token_hash bytea not null,
    checkout_token_sealed bytea not null,
    idempotency_scope bytea,
    idempotency_key text,
    request_hash bytea,

    caller_network_hash bytea,
    channel text check (channel in ('rest', 'mcp', 'page', 'studio')),
    confirmed_via text check (confirmed_via in ('link', 'code', 'studio')),
    moves_while_pending smallint not null default 0 check (moves_while_pending >= 0),
    moves_once_confirmed smallint not null default 0 check (moves_once_confirmed >= 0),
    moved_at timestamptz,
    no_show_at timestamptz,
    cancellation_reason text,
    reminders_stopped_at timestamptz,
    code_asked_at timestamptz,
    code_tries integer not null default 0,
    code_tries_since timestamptz,
    -- No reference: bookings outlive their platform.
    platform text,
    code_proven_at timestamptz,
    ends_at timestamptz,
    ends_at_text text,
    quiet_changes integer not null default 0 check (quiet_changes >= 0),
    form_nonce_hash bytea,
    zone_data_version text collate "C",
    changed_at timestamptz,
    current_token_sealed bytea,
    closed_day_choice text check (closed_day_choice in ('kept', 'asked')),
    studio_word text,
    studio_note text,
    artist_id integer not null default 1 references artists (id),
    artist_name text,
    may_overlap boolean not null default false,
    is_artist_chosen boolean not null default false,

    check (expires_at > created_at),
    check ((status = 'expired') = (expired_at is not null)),
    check (expired_at = expires_at),
    check ((status = 'cancelled') = (cancelled_at is not null)),
    check (status <> 'confirmed' or confirmed_at is not null),
    check (confirmed_at is null or confirmed_at < expires_at),
    check ((idempotency_key is null) = (idempotency_scope is null)),
    check (no_show_at >= starts_at),
    check (cancellation_reason is null or status = 'cancelled'),
    check (ends_at > starts_at),
    check ((ends_at is null) = (ends_at_text is null)),
    -- GiST knows no equality of numbers without an extension: a range of one number does.
    constraint bookings_apart exclude using gist (
      int4range(artist_id, artist_id, '[]') with &&,
      tstzrange(starts_at, ends_at) with &&
    ) where (status in ('pending', 'confirmed') and not may_overlap and ends_at is not null)
  );

  create unique index bookings_by_checkout_token on bookings (checkout_token_hash);
  create unique index bookings_by_idempotency_key on bookings (idempotency_scope, idempotency_key)
    where idempotency_key is not null;
  create index bookings_by_date on bookings (date, starts_at, created_at);

  -- With a second artist, every live booking has a name, and a slot one booking of each.
  create unique index bookings_one_live_per_slot on bookings (date, time_slot)
    where status in ('pending', 'confirmed') and artist_name is null;
  create unique index bookings_one_live_per_artist on bookings (date, time_slot, artist_id)
    where status in ('pending', 'confirmed');
`;

/** Indexes for the caps of live bookings, and for the bookings and mails of one person. */
export const bookingsOfPersons = sql`
  create function mailbox_of(email text) returns text
    language sql immutable strict parallel safe
    as $$ select lower(regexp_replace(email, '^([^+]+)[+].*@', '\\1@')) $$;

  -- Addresses of one mailbox differ in case, and in what follows a plus sign; at Gmail, which is also
  -- googlemail.com, in dots, and at Proton in dots, hyphens and underscores. At the other large
  -- providers (Outlook, Yahoo, iCloud) a dot makes another mailbox. Without regular expressions, which
  -- took a third of the time of a hold.
  create function canonical_mailbox(email text) returns text
    language plpgsql immutable strict parallel safe as $$
      declare
        address text := lower(email);
        domain text := split_part(address, '@', -1);
        mailbox text := left(address, -length(domain) - 1);
      begin
        if position('+' in mailbox) > 1 then
          mailbox := split_part(mailbox, '+', 1);
        end if;
        if domain in ('gmail.com', 'googlemail.com') then
          return replace(mailbox, '.', '') || '@gmail.com';
        elsif domain in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') then
          return translate(mailbox, '._-', '') || '@' || domain;
        end if;
        return mailbox || '@' || domain;
      end $$;

  -- For names: of Nguyễn, Müller and O’Brien it is nguyen, muller and obrien; Arabic loses its vowels
  -- and hamzas. The extension unaccent is not on every server.
  create function fold_letters(words text) returns text
    language sql immutable strict parallel safe
    as $$ select replace(replace(replace(replace(
        translate(
          lower(regexp_replace(
            normalize(translate(words, '''’‘ʼʻʹ\`´', ''), nfkd),
            '[\\u0300-\\u036f\\u0640\\u064b-\\u065f\\u0670]', '', 'g')),
          'đðħıłøŧς', 'ddhilotσ'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') $$;

  -- Small: pending bookings are few. The caps and the expiry read it.
  create index bookings_pending on bookings (expires_at)
    include (caller_hash, api_key_id) where status = 'pending';
  create index bookings_live_by_mailbox on bookings (mailbox_of(email))
    where status in ('pending', 'confirmed');
  create index bookings_live_by_canonical_mailbox on bookings (canonical_mailbox(email))
    where status in ('pending', 'confirmed');
  create index bookings_live_by_phone on bookings (phone)
    where status in ('pending', 'confirmed');
  create index bookings_live_by_network on bookings (caller_network_hash, created_at)
    where status in ('pending', 'confirmed');
  create index bookings_live_by_key on bookings (api_key_id, created_at)
    where status in ('pending', 'confirmed');
  create index bookings_live_by_platform on bookings (platform, created_at)
    where status in ('pending', 'confirmed') and platform is not null;
  -- Who was booked longest ago gets the person who chooses nobody.
  create index bookings_live_by_artist on bookings (artist_id, created_at)
    where status in ('pending', 'confirmed');

  -- Only these bookings have mails and reminders.
  create index bookings_mailed_by_mailbox on bookings (mailbox_of(email))
    where (confirmed_at is not null or code_asked_at is not null) and email is not null;
  create index bookings_mailed_by_canonical_mailbox on bookings (canonical_mailbox(email))
    where (confirmed_at is not null or code_asked_at is not null) and email is not null;
  create index bookings_confirmed_by_phone on bookings (phone)
    where confirmed_at is not null and phone is not null;
`;

/** What follows from a change of a booking, whoever makes it. */
export const bookingTriggers = sql`
  create function forget_session_end() returns trigger language plpgsql as $$
      begin
        new.ends_at := null;
        new.ends_at_text := null;
        return new;
      end $$;
  create trigger bookings_forget_session_end before update of starts_at on bookings for each row
    when (new.starts_at <> old.starts_at and new.ends_at_text is not distinct from old.ends_at_text)
    execute function forget_session_end();

  create function end_quiet_changes() returns trigger language plpgsql as $$
      begin
        new.quiet_changes := 0;
        return new;
      end $$;
  create trigger bookings_end_quiet_changes before update of sequence on bookings for each row
    when (new.sequence <> old.sequence and old.quiet_changes > 0
      and new.quiet_changes = old.quiet_changes)
    execute function end_quiet_changes();

  create function forget_zone_data_version() returns trigger language plpgsql as $$
      begin
        new.zone_data_version := null;
        return new;
      end $$;
  create trigger bookings_forget_zone_data_version
    before update of date, time_slot, timezone on bookings for each row
    when ((new.date, new.time_slot, new.timezone) is distinct from
      (old.date, old.time_slot, old.timezone))
    execute function forget_zone_data_version();

  create function record_booking_change() returns trigger language plpgsql as $$
      begin
        new.changed_at := booking_now();
        return new;
      end $$;
  create trigger bookings_record_change before update of sequence on bookings for each row
    when (new.sequence <> old.sequence) execute function record_booking_change();

  -- People cannot take a closed slot: the studio has placed the booking there on purpose. A booking
  -- that leaves its slot is decided.
  create function choose_closed_day() returns trigger language plpgsql as $$
      begin
        new.closed_day_choice := case
          when is_closed_by_studio(new.date, new.time_slot, new.artist_id) then 'kept' end;
        return new;
      end $$;
  create trigger bookings_add_to_closed_day before insert on bookings for each row
    when (new.status = 'confirmed') execute function choose_closed_day();
  create trigger bookings_move_to_closed_day before update of date, time_slot, artist_id on bookings
    for each row when (
      (new.date, new.time_slot, new.artist_id) is distinct from (old.date, old.time_slot, old.artist_id))
    execute function choose_closed_day();

  create function require_artist() returns trigger language plpgsql as $$
      begin
        if (select count(*) from artists) > 1 then
          raise exception 'a process without a version may not take slots: there are several artists'
            using errcode = 'BV001';
        end if;
        return new;
      end $$;
  create trigger bookings_add_to_artist before insert on bookings for each row
    when (new.artist_name is null and new.status in ('pending', 'confirmed')
      and coalesce(current_setting('booking.version', true), '') = '')
    execute function require_artist();
  create trigger bookings_move_to_artist before update of date, time_slot on bookings for each row
    when ((new.date, new.time_slot) is distinct from (old.date, old.time_slot)
      and coalesce(current_setting('booking.version', true), '') = '')
    execute function require_artist();
`;
