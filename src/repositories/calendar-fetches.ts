import { isDeepStrictEqual } from 'node:util';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { CalendarError, Unreadable } from '../database/rows/calendars.js';
import type { Database } from '../database/rows/schema.js';
import { activeTraceContext } from '../platform/tracing/tracing.js';
import { failureAge, type ClaimedCalendar, type NewWatchedCalendar } from './watched-calendars.js';

/** How fetches of watched calendars ended. Nothing is written once the claim has ended. */

export type CalendarClaim = Pick<ClaimedCalendar, 'id' | 'claimed_until'>;

/** Instants are milliseconds since the epoch; the end is exclusive. */
interface Interval {
  startsAt: number;
  endsAt: number;
}

/** Locks the row of a claimed calendar. False if the claim has ended, or the calendar was removed. */
export async function lockClaimedCalendar(
  transaction: Transaction<Database>,
  claim: CalendarClaim,
) {
  const { rows } = await sql`
    select from watched_calendars
    where id = ${claim.id} and claimed_until = ${claim.claimed_until}
    for update`.execute(transaction);
  return rows.length > 0;
}

/** Replaces the intervals of a calendar. Returns whether they differ from those before. */
export async function replaceBusyIntervals(
  transaction: Transaction<Database>,
  calendarId: string,
  intervals: readonly Interval[],
) {
  const { rows } = await sql<Interval>`
    select floor(extract(epoch from starts_at) * 1000)::float8 as "startsAt",
      floor(extract(epoch from ends_at) * 1000)::float8 as "endsAt"
    from busy_intervals where calendar_id = ${calendarId} order by starts_at`.execute(transaction);
  const before = rows.map(({ startsAt, endsAt }) => ({ startsAt, endsAt }));
  const after = intervals.map(({ startsAt, endsAt }) => ({ startsAt, endsAt }));
  if (isDeepStrictEqual(before, after)) return false;
  await transaction.deleteFrom('busy_intervals').where('calendar_id', '=', calendarId).execute();
  const instants = (key: keyof Interval) => after.map((each) => new Date(each[key]).toISOString());
  await sql`
    insert into busy_intervals (calendar_id, starts_at, ends_at)
    select ${calendarId}, starts_at, ends_at
    from unnest(
      ${instants('startsAt')}::timestamptz[], ${instants('endsAt')}::timestamptz[]
    ) as each (starts_at, ends_at)`.execute(transaction);
  return true;
}

/** The other findings of a read. */
export interface RecordedRead {
  etag: string | null;
  readWindow: string;
  unreadable: Unreadable | null;
  /** Whether it was read without any event, which the next read must confirm. */
  isEmptied: boolean;
  hasEvents: boolean;
}

/** Records a successful fetch and ends the claim. `read` is null if the calendar was unchanged. */
export async function recordFetch(
  database: Kysely<Database>,
  claim: CalendarClaim,
  read: RecordedRead | null,
) {
  await database
    .updateTable('watched_calendars')
    .set({
      ...(read !== null && {
        etag: read.etag,
        read_window: read.readWindow,
        unreadable:
          read.unreadable === null
            ? null
            : sql<Unreadable>`${JSON.stringify(read.unreadable)}::jsonb`,
        ...(read.unreadable === null && { unreadable_told_at: null }),
        empty_since: read.isEmptied ? sql<Date>`booking_now()` : null,
        has_events: read.hasEvents || read.isEmptied,
      }),
      read_at: sql<Date>`booking_now()`,
      failing_since: null,
      last_error: null,
      last_status_code: null,
      failure_told_at: null,
      claimed_until: null,
    })
    .where('id', '=', claim.id)
    .where('claimed_until', '=', claim.claimed_until)
    .execute();
}

/** Records a failed fetch and ends the claim. The intervals stay. */
export async function recordFailedFetch(
  database: Kysely<Database>,
  claim: CalendarClaim,
  { error, statusCode }: { error: CalendarError; statusCode: number | null },
) {
  await sql`
    update watched_calendars
    set failing_since = coalesce(failing_since, booking_now()), last_error = ${error},
      last_status_code = ${statusCode}, claimed_until = null
    where id = ${claim.id} and claimed_until = ${claim.claimed_until}`.execute(database);
}

/** Ends a claim without a result: the calendar is due. */
export async function releaseCalendar(database: Kysely<Database>, claim: CalendarClaim) {
  await sql`
    update watched_calendars set next_fetch_at = booking_now(), claimed_until = null
    where id = ${claim.id} and claimed_until = ${claim.claimed_until}`.execute(database);
}

/**
 * Records an event `calendar.failing`, which becomes a mail, for each calendar that could not be read for
 * two hours, once until it is read again, and for each with an unreadable part, once until all of it is
 * readable. The rows record the instants of these events.
 */
export async function recordCalendarFailures(database: Kysely<Database>) {
  await sql`
    with moment as materialized (select booking_now() as now),
    told as (
      update watched_calendars set
        failure_told_at = case when failing_since <= moment.now - ${failureAge}
          then coalesce(failure_told_at, moment.now) end,
        unreadable_told_at = case when unreadable is not null
          then coalesce(unreadable_told_at, moment.now) end
      from moment
      where (failing_since <= moment.now - ${failureAge} and failure_told_at is null)
        or (unreadable is not null and unreadable_told_at is null)
      returning id, moment.now
    )
    insert into events (type, booking_id, occurred_at, data, trace_context)
    select 'calendar.failing', null, now, jsonb_build_object('calendar_id', id),
      ${activeTraceContext()}::text
    from told`.execute(database);
}

/**
 * Replaces the address of a claimed calendar, and keeps its first one. False if another calendar is or
 * was at the new one.
 */
export async function moveCalendar(
  transaction: Transaction<Database>,
  { id }: CalendarClaim,
  { host, addressSealed, addressHash }: Omit<NewWatchedCalendar, 'label' | 'artistId'>,
  hashes: readonly Buffer[],
) {
  const { rows } = await sql`
    update watched_calendars set host = ${host}, address_sealed = ${addressSealed},
      address_hash = ${addressHash},
      former_address_sealed = coalesce(former_address_sealed, address_sealed),
      former_address_hash = coalesce(former_address_hash, address_hash)
    where id = ${id} and not exists (
      select from watched_calendars other
      where other.address_hash = any(${hashes}::bytea[])
        or other.id <> ${id} and other.former_address_hash = any(${hashes}::bytea[])
    )
    returning id`.execute(transaction);
  return rows.length > 0;
}

/** The ids that are of bookings or closures. */
export async function findOwnIds(database: Kysely<Database>, ids: readonly string[]) {
  const { rows } = await sql<{ id: string }>`
    select id from bookings where id = any(${ids}::uuid[])
    union all select id from closures where id = any(${ids}::uuid[])`.execute(database);
  return rows.map(({ id }) => id);
}

/** Whether a watched calendar is busy at any time that is not over. */
export async function isAnyCalendarBusy(database: Kysely<Database>) {
  const { rows } = await sql<{ busy: boolean }>`
    select max(ends_at) > booking_now() as busy from busy_intervals`.execute(database);
  return rows[0]?.busy === true;
}
