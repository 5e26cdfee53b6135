import { sql, type Kysely, type Selectable } from 'kysely';
import type { TimeSlot } from '../../generated/schemas.js';
import { onlyRow } from '../database/row-queries.js';
import type { InstallationMode } from '../database/rows/results.js';
import type { Database } from '../database/rows/schema.js';
import type { StudioAddressRow, StudioRow, WeekDayRow } from '../database/rows/studio.js';
import { modeObject } from './installation.js';

export interface ClosureRow {
  from_date: string;
  to_date: string;
  time_slot: TimeSlot | null;
  artist_id: number | null;
  /** Milliseconds since the epoch; null: no block. */
  starts_at: number | null;
  ends_at: number | null;
}

export interface ArtistRow extends Omit<
  Selectable<Database['artists']>,
  'email' | 'position' | 'hidden_at' | 'is_new'
> {
  isHidden: boolean;
}

/** A booking that occupies its slot, until `lapses_at` if pending. */
export interface LiveBookingRow {
  id: string;
  date: string;
  time_slot: TimeSlot;
  artist_id: number;
  /** Milliseconds since the epoch. */
  starts_at: number;
  ends_at: number;
  /** Milliseconds since the epoch; null when confirmed. */
  lapses_at: number | null;
  sequence: number;
}

/** Everything that determines the open slots, in one snapshot. */
export interface CalendarRows {
  /** The database's clock; milliseconds since the epoch. */
  now: number;
  mode: InstallationMode;
  studio: StudioRow;
  /** The addresses, each from its date on. */
  addresses: StudioAddressRow[];
  /** Of the studio and of all artists, in the order of their dates. */
  weekDays: WeekDayRow[];
  /** In the studio's order. */
  artists: ArtistRow[];
  closures: ClosureRow[];
  /** By date: the sessions that are opened besides those of the week. */
  openings: Record<string, TimeSlot[]>;
  /** When watched calendars are busy: milliseconds since the epoch. */
  busy: { startsAt: number; endsAt: number; artistId: number | null }[];
  liveBookings: LiveBookingRow[];
}

/** All addresses of the studio in the order of their dates, as JSON. */
export const studioAddresses = sql<StudioAddressRow[]>`(
  select json_agg(row_to_json(address) order by from_date) from (
    select from_date, street, city, region, postal_code, country from studio_addresses
    union all
    select coalesce(address_from, '0001-01-01'), street, city, region, postal_code, country from studio
  ) as address)`;

/**
 * Reads the calendar in one round trip. Dates begin two before the database's current one, so that every
 * time zone's today is included.
 */
export async function loadCalendar(database: Kysely<Database>) {
  const { rows } = await sql<{ calendar: CalendarRows }>`
    select json_build_object(
      'now', floor(extract(epoch from booking_now()) * 1000),
      'mode', ${modeObject},
      'studio', (select row_to_json(studio) from studio),
      'addresses', ${studioAddresses},
      'weekDays', (
        select coalesce(json_agg(row_to_json(week_days) order by artist_id, weekday, from_date), '[]')
        from week_days
        where to_date is null or to_date >= booking_now()::date - 2),
      'artists', (
        select json_agg(json_build_object(
          'id', id, 'slug', slug, 'name', name, 'about', about,
          'isHidden', hidden_at is not null,
          'first_day', first_day, 'last_day', last_day) order by position, id)
        from artists),
      'closures', (
        select coalesce(
          json_agg(json_build_object(
            'from_date', from_date, 'to_date', to_date, 'time_slot', time_slot,
            'artist_id', artist_id,
            'starts_at', floor(extract(epoch from starts_at) * 1000),
            'ends_at', floor(extract(epoch from ends_at) * 1000)) order by id),
          '[]')
        from closures where to_date >= booking_now()::date - 2),
      'openings', (
        select coalesce(json_object_agg(date, sessions), '{}') from (
          select date, json_agg(time_slot order by time_slot) as sessions
          from openings where date >= booking_now()::date - 2 group by date) as opened),
      'busy', (
        select coalesce(
          json_agg(json_build_object(
            'startsAt', floor(extract(epoch from starts_at) * 1000),
            'endsAt', floor(extract(epoch from ends_at) * 1000),
            'artistId', artist_id) order by starts_at, ends_at, artist_id),
          '[]')
        from busy_intervals join watched_calendars on watched_calendars.id = calendar_id
        where ends_at >= (select booking_now() - interval '2 days')),
      'liveBookings', (
        select coalesce(
          json_agg(json_build_object(
            'id', id, 'date', date, 'time_slot', time_slot, 'sequence', sequence,
            'artist_id', artist_id,
            'starts_at', floor(extract(epoch from starts_at) * 1000),
            'ends_at', floor(extract(epoch from ends_at) * 1000),
            'lapses_at', case status
              when 'pending' then floor(extract(epoch from expires_at) * 1000) end)),
          '[]')
        from bookings
        where status in ('pending', 'confirmed') and date >= booking_now()::date - 2)
    ) as calendar`.execute(database);
  return onlyRow(rows).calendar;
}
