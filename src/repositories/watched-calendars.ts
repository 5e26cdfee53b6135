import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { onlyRow } from '../database/row-queries.js';
import type { WatchedCalendarRow } from '../database/rows/calendars.js';
import type { Database } from '../database/rows/schema.js';

/** The watched calendars as the studio sees and changes them. */

/** A watched calendar without its address. */
export interface WatchedCalendarOverview extends Omit<
  WatchedCalendarRow,
  'address_sealed' | 'address_hash' | 'former_address_sealed' | 'former_address_hash'
> {
  /** Its busy intervals that are not over. */
  busyIntervals: number;
  /** Whether it could not be read for two hours. */
  isFailing: boolean;
  /** Whether no process has tried to fetch it for 30 minutes. */
  isOverdue: boolean;
}

/** The interval of fetches: ten minutes, less a tolerance for the inexact scheduler. */
const secondsToNextFetch = 570;

/** How long a calendar may fail before the studio is notified and doctor warns. */
export const failureAge = sql`interval '2 hours'`;

const overdueSeconds = 1_800 - secondsToNextFetch;

/** The lifetime of a claim: longer than fetching and reading take. */
const claimSeconds = 180;

const watchLock = 0x63616c73;

/** Serializes the transactions that add calendars, so that races cannot exceed the cap. */
export async function lockWatchedCalendars(transaction: Transaction<Database>) {
  await sql`select pg_advisory_xact_lock(${sql.lit(watchLock)})`.execute(transaction);
}

export interface SealedAddress {
  addressSealed: Buffer;
  addressHash: Buffer;
}

export interface NewWatchedCalendar extends SealedAddress {
  label: string;
  host: string;
  /** Whose sessions it closes; null: everybody's. */
  artistId: number | null;
}

/** Inserts a calendar that the caller has claimed, to fetch it at once. */
export async function insertWatchedCalendar(
  transaction: Transaction<Database>,
  { label, host, artistId, addressSealed, addressHash }: NewWatchedCalendar,
) {
  const { rows } = await sql<ClaimedCalendar>`
    insert into watched_calendars as calendar
      (label, host, artist_id, address_sealed, address_hash, created_at, next_fetch_at, claimed_until)
    select ${label}, ${host}, ${artistId}::integer, ${addressSealed}::bytea, ${addressHash}::bytea, moment.now,
      ${nextFetchAt}, ${claimEndsAt}
    from (select booking_now() as now) as moment
    returning ${claimedColumns}`.execute(transaction);
  return onlyRow(rows);
}

/** The newest first. */
export async function listCalendarOverviews(database: Kysely<Database>) {
  return overviewsWhere(database, sql`true`);
}

export async function findCalendarOverview(database: Kysely<Database>, id: string) {
  const [row] = await overviewsWhere(database, sql`id = ${id}`);
  return row ?? null;
}

/**
 * The calendar that is or was at an address.
 *
 * @param addressHashes the hash of the address under each known secret key
 */
export async function findCalendarByAddress(
  database: Kysely<Database>,
  addressHashes: readonly Buffer[],
) {
  const [row] = await overviewsWhere(
    database,
    sql`${addressHashes}::bytea[] && array[address_hash, former_address_hash]`,
  );
  return row ?? null;
}

async function overviewsWhere(database: Kysely<Database>, condition: RawBuilder<unknown>) {
  const { rows } = await sql<WatchedCalendarOverview>`
    select id, label, host, artist_id, created_at, etag, read_window, read_at, failing_since, last_error,
      last_status_code, failure_told_at, unreadable, unreadable_told_at, has_events, empty_since,
      next_fetch_at, claimed_until,
      (
        select count(*) from busy_intervals
        where calendar_id = calendar.id and ends_at > moment.now
      )::integer as "busyIntervals",
      coalesce(failing_since <= moment.now - ${failureAge}, false) as "isFailing",
      next_fetch_at <= moment.now - make_interval(secs => ${overdueSeconds}) as "isOverdue"
    from watched_calendars calendar, (select booking_now() as now) as moment
    where ${condition}
    order by created_at desc, id desc`.execute(database);
  return rows;
}

export async function countWatchedCalendars(database: Kysely<Database>) {
  const { count } = await database
    .selectFrom('watched_calendars')
    .select((row) => row.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function countFailingCalendars(database: Kysely<Database>) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from watched_calendars
    where failing_since <= booking_now() - ${failureAge}`.execute(database);
  return onlyRow(rows).count;
}

/** Deletes a calendar with its busy intervals. */
export async function deleteWatchedCalendar(transaction: Transaction<Database>, id: string) {
  await transaction.deleteFrom('watched_calendars').where('id', '=', id).execute();
}

export async function listAddressesSealedByOtherKeys(database: Kysely<Database>, keyId: string) {
  const { rows } = await sql<SealedAddresses>`
    select id, address_sealed, former_address_sealed from watched_calendars
    where substr(address_sealed, 2, 4) <> decode(${keyId}, 'hex')
      or substr(former_address_sealed, 2, 4) <> decode(${keyId}, 'hex')`.execute(database);
  return rows;
}

export type SealedAddresses = Pick<
  WatchedCalendarRow,
  'id' | 'address_sealed' | 'former_address_sealed'
>;

export async function replaceSealedAddress(
  database: Kysely<Database>,
  id: string,
  sealed: SealedAddress,
  former: SealedAddress | null,
) {
  await database
    .updateTable('watched_calendars')
    .set({
      address_sealed: sealed.addressSealed,
      address_hash: sealed.addressHash,
      ...(former !== null && {
        former_address_sealed: former.addressSealed,
        former_address_hash: former.addressHash,
      }),
    })
    .where('id', '=', id)
    .execute();
}

/** A calendar that only the process with the claim fetches, until the claim ends. */
export interface ClaimedCalendar extends Pick<
  WatchedCalendarRow,
  'id' | 'address_sealed' | 'etag' | 'read_window' | 'has_events' | 'empty_since'
> {
  /** Identifies the claim. */
  claimed_until: Date;
  /** The database's clock at the claim; milliseconds since the epoch. */
  now: number;
}

const nextFetchAt = sql`moment.now + make_interval(secs => ${sql.lit(secondsToNextFetch)})`;
const claimEndsAt = sql`moment.now + make_interval(secs => ${sql.lit(claimSeconds)})`;

/** The columns of `ClaimedCalendar`, from the just claimed `calendar`. */
const claimedColumns = sql`calendar.id, calendar.address_sealed, calendar.etag, calendar.read_window,
  calendar.has_events, calendar.empty_since, calendar.claimed_until,
  floor(extract(epoch from
    calendar.claimed_until - make_interval(secs => ${sql.lit(claimSeconds)})) * 1000
  )::float8 as now`;

/**
 * Claims the calendar that has been due for longest; of several processes, one gets it. The claim of a
 * process that dies expires, and the calendar is fetched later.
 */
export async function claimDueCalendar(database: Kysely<Database>) {
  return claimWhere(database, sql`next_fetch_at <= moment.now`);
}

/** Claims a calendar whether or not it is due. Null if it does not exist, or another process has it. */
export async function claimCalendar(database: Kysely<Database>, id: string) {
  return claimWhere(database, sql`watched_calendars.id = ${id}`);
}

async function claimWhere(database: Kysely<Database>, condition: RawBuilder<unknown>) {
  const { rows } = await sql<ClaimedCalendar>`
    with moment as materialized (select booking_now() as now),
    due as materialized (
      select watched_calendars.id from watched_calendars, moment
      where ${condition} and (claimed_until is null or claimed_until <= moment.now)
      order by next_fetch_at limit 1
      for update of watched_calendars skip locked
    )
    update watched_calendars calendar
    set next_fetch_at = ${nextFetchAt}, claimed_until = ${claimEndsAt}
    from due, moment where calendar.id = due.id
    returning ${claimedColumns}`.execute(database);
  return rows[0] ?? null;
}

/** Ends the claims on all calendars and makes them due: reads in progress are discarded. */
export async function makeCalendarsDue(transaction: Transaction<Database>) {
  await sql`
    update watched_calendars set next_fetch_at = booking_now(), claimed_until = null`.execute(
    transaction,
  );
}

/** Whether a calendar has been due for over a minute, and no process fetches it. */
export async function hasOverdueCalendar(database: Kysely<Database>) {
  const { rows } = await sql<{ overdue: boolean }>`
    select exists (
      select from watched_calendars, (select booking_now() as now) as moment
      where next_fetch_at < moment.now - interval '1 minute'
        and (claimed_until is null or claimed_until <= moment.now)
    ) as overdue`.execute(database);
  return onlyRow(rows).overdue;
}
