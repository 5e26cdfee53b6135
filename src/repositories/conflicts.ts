import { sql, type Kysely, type Transaction } from 'kysely';
import type { BookingRow, Database } from '../database/rows/schema.js';
import { recordBookingEvents, sequenceData } from './events.js';

/** When a watched calendar is busy. */
export interface ConflictInterval {
  calendarId: string;
  label: string;
  /** Whose calendar it is; null: everybody's. */
  artistId: number | null;
  startsAt: Date;
  endsAt: Date;
}

/** The confirmed sessions that are not over, by their start, each with a busy interval, in order. */
export async function listBusyBookings(database: Kysely<Database>) {
  const { rows } = await sql<BookingRow & ConflictInterval & { busyLabel: string }>`
    select bookings.*, busy.calendar_id as "calendarId", watched_calendars.label as "busyLabel",
      watched_calendars.artist_id as "artistId", busy.starts_at as "startsAt", busy.ends_at as "endsAt"
    from ${busyBookings}
    where ${isConfirmed} and bookings.ends_at > booking_now()
    order by bookings.starts_at, bookings.id, busy.starts_at, busy.ends_at, busy.calendar_id`.execute(
    database,
  );
  return rows.map(({ calendarId, busyLabel, artistId, startsAt, endsAt, ...booking }) => ({
    booking,
    busy: { calendarId, label: busyLabel, artistId, startsAt, endsAt },
  }));
}

/** The sessions that have not begun and whose conflict is not recorded. */
export async function listUnrecordedConflicts(database: Kysely<Database>) {
  const { rows } = await sql<Pick<BookingRow, 'id' | 'starts_at'>>`
    select bookings.id, bookings.starts_at
    from ${busyBookings}
    where ${isConfirmed} and bookings.starts_at > booking_now()
      and not exists (
        select from booking_conflicts
        where booking_id = bookings.id and booking_conflicts.starts_at = bookings.starts_at
      )
    group by bookings.id`.execute(database);
  return rows;
}

/** Bookings, each with the intervals of its artist that overlap it. */
const busyBookings = sql`bookings join busy_intervals busy on busy.ends_at > bookings.starts_at
    and busy.starts_at < bookings.ends_at
    join watched_calendars on watched_calendars.id = busy.calendar_id
    and (watched_calendars.artist_id is null or watched_calendars.artist_id = bookings.artist_id)`;

/**
 * A condition from two dates back, so that every time zone's today is included: the date is what indexes
 * have. It is a query of its own, since an index cannot be searched for the result of a volatile
 * function.
 */
const isConfirmed = sql`bookings.status = 'confirmed'
  and bookings.date >= (select booking_now()::date - 2)`;

/**
 * Records conflicts, each with an event. Returns the number of new ones. Skips a booking that another
 * transaction is changing, or whose conflict it is recording: waiting could deadlock, and the next call
 * finds it.
 */
export async function insertConflicts(
  transaction: Transaction<Database>,
  conflicts: readonly Pick<BookingRow, 'id' | 'starts_at'>[],
) {
  const ids = conflicts.map(({ id }) => id);
  const found = conflicts.map(({ id, starts_at }) => ({ id, starts_at }));
  const { rows } = await sql<{ count: number }>`
    with moment as materialized (select booking_now() as now),
    present as materialized (
      select bookings.* from bookings
        join jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as found (
          id uuid, starts_at timestamptz) on found.id = bookings.id
      where bookings.id = any(${ids}::uuid[]) and bookings.status = 'confirmed'
        and bookings.starts_at = found.starts_at
        and bookings.starts_at > (select now from moment)
      for no key update of bookings skip locked
    ),
    recorded as (
      insert into booking_conflicts (booking_id, starts_at, found_at)
      select id, starts_at, moment.now from present, moment
      on conflict do nothing
      returning booking_id
    ),
    conflicting as (select present.* from present join recorded on booking_id = id),
    event as (${recordBookingEvents('booking.conflict', 'conflicting', sql`(select now from moment)`, sequenceData)})
    select count(*)::integer as count from recorded`.execute(transaction);
  return rows[0]?.count ?? 0;
}

/** The intervals in which watched calendars are busy within a time, in order; ms since the epoch. */
export async function listBusyIntervals(
  database: Kysely<Database>,
  { startsAt, endsAt }: { startsAt: number; endsAt: number },
) {
  const { rows } = await sql<ConflictInterval>`
    select calendar_id as "calendarId", label, artist_id as "artistId", starts_at as "startsAt", ends_at as "endsAt"
    from busy_intervals join watched_calendars on id = calendar_id
    where starts_at < to_timestamp(${endsAt}::float8 / 1000)
      and ends_at > to_timestamp(${startsAt}::float8 / 1000)
    order by starts_at, ends_at, calendar_id`.execute(database);
  return rows;
}
