import { sql, type Kysely, type Transaction } from 'kysely';
import type { TimeSlot } from '../../generated/schemas.js';
import type { Database } from '../database/rows/schema.js';
import { changeInSlotData, recordBookingEvents } from './events.js';

/** A time zone that the studio or a live booking to come has. */
export interface ZoneRecord {
  timezone: string;
  /** The newest version of its data that the database knows; null before the first record. */
  version: string | null;
  /** The live bookings to come, by their start. */
  bookings: StoredInstant[];
}

/** A booking's promised time, and its stored instants. */
export interface StoredInstant {
  id: string;
  sequence: number;
  date: string;
  timeSlot: TimeSlot;
  startsAtText: string;
  endsAtText: string;
  /** The version of the data by which the instants were computed again; null if they were not. */
  version: string | null;
}

/** Every time zone that the studio or a live booking to come has. */
export async function readZoneRecords(database: Kysely<Database>) {
  // This begins two dates back, so that every time zone's today is included: the index has the date.
  const { rows } = await sql<ZoneRecord>`
    with upcoming as materialized (
      select * from bookings
      where date >= (select booking_now()::date - 2) and starts_at > booking_now()
        and (status = 'confirmed' or (status = 'pending' and expires_at > booking_now()))
    ),
    zones as (select timezone from studio union select timezone from upcoming)
    select zones.timezone, zone_data.version,
      coalesce(
        json_agg(json_build_object(
          'id', id, 'sequence', sequence, 'date', date, 'timeSlot', time_slot,
          'startsAtText', starts_at_text, 'endsAtText', ends_at_text, 'version', zone_data_version
        ) order by starts_at, id) filter (where id is not null),
        '[]') as bookings
    from zones left join zone_data using (timezone) left join upcoming using (timezone)
    group by zones.timezone, zone_data.version
    order by zones.timezone`.execute(database);
  return rows;
}

/** Records the version for time zones that have an older one. The transaction holds the lock of `lockSlots`. */
export async function recordZoneData(
  transaction: Transaction<Database>,
  timezones: readonly string[],
  version: string,
) {
  await sql`
    insert into zone_data (timezone, version, recorded_at)
    select timezone, ${version}, booking_now() from unnest(${[...timezones]}::text[]) as timezone
    on conflict (timezone) do update
      set version = excluded.version, recorded_at = excluded.recorded_at`.execute(transaction);
}

/** The recomputed instants of a booking. */
export interface NewInstant extends Pick<StoredInstant, 'id' | 'sequence'> {
  startsAtText: string;
  endsAtText: string;
}

/**
 * Changes the instants of bookings that have not changed since they were read, each with an event. Skips
 * a booking that another transaction is changing: waiting could deadlock. Returns the number of changed
 * ones.
 */
export async function changeInstants(
  transaction: Transaction<Database>,
  instants: readonly NewInstant[],
  version: string,
) {
  const ids = instants.map(({ id }) => id);
  const slotAt = (startsAt: string) => sql`jsonb_build_object(
    'date', date, 'time_slot', time_slot, 'starts_at', ${sql.ref(startsAt)})`;
  const moreData = sql`${changeInSlotData('service')} || jsonb_build_object(
    'from', ${slotAt('from_starts_at_text')}, 'to', ${slotAt('starts_at_text')})`;
  const { rows } = await sql<{ count: number }>`
    with moment as materialized (select booking_now() as now),
    present as materialized (
      select bookings.id as present_id, bookings.starts_at_text as from_starts_at_text,
        instant."startsAtText", instant."endsAtText"
      from bookings join jsonb_to_recordset(${JSON.stringify(instants)}::jsonb) as instant (
          id uuid, sequence integer, "startsAtText" text, "endsAtText" text)
        on instant.id = bookings.id and instant.sequence = bookings.sequence
      where bookings.id = any(${ids}::uuid[])
        and (status = 'confirmed' or (status = 'pending' and expires_at > (select now from moment)))
      for no key update of bookings skip locked
    ),
    changed as (
      update bookings
      set starts_at = "startsAtText"::timestamptz, starts_at_text = "startsAtText",
        ends_at = "endsAtText"::timestamptz, ends_at_text = "endsAtText",
        zone_data_version = ${version}, may_overlap = true, sequence = sequence + 1, quiet_changes = quiet_changes + 1
      from present where id = present_id
      returning bookings.*, from_starts_at_text
    ),
    event as (${recordBookingEvents('booking.retimed', 'changed', sql`(select now from moment)`, moreData)})
    select count(*)::integer as count from changed`.execute(transaction);
  return rows[0]?.count ?? 0;
}
