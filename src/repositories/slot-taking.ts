import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { runPipelinedTransaction, type NamedStatement } from '../database/pipelined-transaction.js';
import type { Connector } from '../database/pool.js';
import type { BookedSlot } from '../database/rows/results.js';
import type { Database } from '../database/rows/schema.js';
import { readPackage } from '../platform/package-root.js';
import { recordBookingEvents } from './events.js';
import { hasSession } from './openings.js';

/** The parts shared by all statements that give a slot to a booking. */

/**
 * Serializes the transactions that take or close slots (src/decisions.md). Fails where this version is
 * below the database's minimum (`isOutdated`).
 */
export async function lockSlots(transaction: Transaction<Database>) {
  await lockStatement().execute(transaction);
}

/** `lockSlots` for a pipelined transaction. */
export function lockSlotsQuery(database: Kysely<Database>): NamedStatement {
  return { name: 'lock slots', query: lockStatement().compile(database) };
}

function lockStatement(): RawBuilder<unknown> {
  return sql`select lock_slots(${readPackage().version})`;
}

/** The most tries: a slot has fewer lapsed holds that are confirmed at one moment. */
const maxTries = 10;

/**
 * Runs the statements that give a slot to a booking. They fail if a lapsed hold in the way is confirmed
 * at this moment, without the lock: the next run sees that booking, and perhaps another artist.
 */
export async function takeSlot(connect: Connector, statements: NamedStatement[]) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await runPipelinedTransaction(connect, statements);
    } catch (error) {
      if (!isSlotTaken(error) || tries === maxTries) throw error;
    }
  }
}

/** The booking's label: `Tuesday, December 1, 2026 at 9:00 AM`, `with Mara` if the artist has a name. */
export function labelWithArtist({ label }: BookedSlot): RawBuilder<string> {
  return sql`${label} || coalesce(' with ' || artist.artist_name, '')`;
}

/** The facts that decide which artists are possible. The statement must provide `moment.now`. */
export interface Taker {
  /**
   * A person gets an artist who works then, is free and is not hidden. The studio gets any who has no
   * booking of this very slot, preferably such an artist, and a hidden one only by name.
   */
  by: 'person' | 'studio';
  /** The only artist who may get the slot; null: any. */
  only?: number | null;
  /** The moved booking: it does not block itself, and keeps its artist if nobody is freer. */
  moved?: string | null;
  /**
   * Whether the caller knows of one artist only: then nobody is ranked, which is faster, and nobody gets
   * the slot if there are several.
   */
  isOnlyArtist?: boolean | null;
  /**
   * Which bookings in the way are the same person's: `booked` has date, time and artist of one as
   * `own_session`.
   */
  isOwnSession?: RawBuilder<unknown> | null;
}

// Conditions on rows of `bookings`:

/** Within two days of the slot: the dates of any two zones differ by two at most. The index has them. */
function isNear({ date }: BookedSlot): RawBuilder<unknown> {
  return sql`date between ${date}::date - 2 and ${date}::date + 2`;
}

/** In the slot, whatever its instant was. */
function isIn({ date, timeSlot }: BookedSlot): RawBuilder<unknown> {
  return sql`(date = ${date} and time_slot = ${timeSlot})`;
}

/** In the slot, or overlapping it in time, which ends at `end`. */
function isAround(slot: BookedSlot, end: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${isIn(slot)} or (starts_at < ${end}
    and ends_at > ${slot.startsAt}::timestamptz))`;
}

/** The latest end of the slot, with anybody. */
function latestEnd({ endsAt, ends }: BookedSlot): RawBuilder<Date> {
  const times = [endsAt, ...ends.map((each) => each.endsAt)].map((each) => each.getTime());
  return sql`${new Date(Math.max(...times))}::timestamptz`;
}

/** The end of the slot with the artist whose id is in a column. */
function endWith(slot: BookedSlot, id: string): RawBuilder<Date> {
  const end = sql<Date>`${slot.endsAt}::timestamptz`;
  const ends = slot.ends.map(({ endsAt }) => endsAt);
  return ends.length === 0
    ? end
    : sql`coalesce((${ends}::timestamptz[])[${placeIn(slot, id)}], ${end})`;
}

function endTextWith(slot: BookedSlot, id: string): RawBuilder<string> {
  const texts = slot.ends.map(({ endsAtText }) => endsAtText);
  return texts.length === 0
    ? sql`${slot.endsAtText}::text`
    : sql`coalesce((${texts}::text[])[${placeIn(slot, id)}], ${slot.endsAtText})`;
}

function placeIn({ ends }: BookedSlot, id: string): RawBuilder<unknown> {
  return sql`array_position(${ends.map(({ artistId }) => artistId)}::integer[], ${sql.ref(id)})`;
}

/**
 * The common table expressions `lapsed` and `lapsed_events`, which expire lapsed holds in the way of a
 * booking. The statement must provide `moment.now`, and select from `after_expiry` before it writes the
 * slot: PostgreSQL orders data-modifying expressions only by such dependencies, and the lapsed hold would
 * otherwise conflict with the new booking.
 */
export function expireLapsedHolds(slot: BookedSlot): RawBuilder<unknown> {
  return sql`
    lapsed as (
      update bookings set status = 'expired', expired_at = expires_at, sequence = sequence + 1
      -- Not a join: of those that are pending, the index has the few that have lapsed.
      where status = 'pending' and expires_at <= (select now from moment)
        and ${isNear(slot)} and ${isAround(slot, latestEnd(slot))}
      returning *
    ),
    lapsed_events as (${recordBookingEvents('hold.expired', 'lapsed', sql`(select now from moment)`)}),
    after_expiry as (select count(*) from lapsed)`;
}

/**
 * The common table expressions `booked`, the artists with live bookings near the slot, and `artist`, the
 * columns of the one who gets the slot, with the end of their session, or no row. The first is the one
 * with the fewest live sessions on the date, then within 14 days of it, then who was booked longest ago,
 * then by the studio's order. The statement must provide `moment.now`.
 */
export function freeArtist(
  slot: BookedSlot,
  { by, only = null, moved = null, isOnlyArtist = null, isOwnSession = null }: Taker,
): RawBuilder<unknown> {
  const ownFirst =
    moved === null
      ? sql``
      : sql`id = (select artist_id from bookings where id = ${moved}::uuid) desc,`;
  const isShown = sql`hidden_at is null`;
  const isBooked = sql`booked.is_around is true`;
  const [isPossible, isOverlapping, order] =
    by === 'person'
      ? [sql`${isShown} and not ${isClosed(slot)} and not ${isBooked}`, sql`false`, ownFirst]
      : [
          sql`${only === null ? sql`${isShown} and not ${isAway(slot)}` : sql`true`}
            and booked.is_in_slot is not true`,
          isBooked,
          sql`${isClosed(slot)}, ${isBooked}, ${ownFirst}`,
        ];
  const others = moved === null ? sql`` : sql`and id <> ${moved}::uuid`;
  // No artist is ever removed.
  const areThere = isOnlyArtist === false ? sql`true` : areSeveral;
  // A lapsed hold that is not expired yet counts here, so that one index has all that these two read.
  const fortnight = sql`
    fortnight as (
      select artist_id as busy_id, count(*) as sessions_near from bookings
      where ${areThere} and date between ${slot.date}::date - 14 and ${slot.date}::date + 14
        and status in ('pending', 'confirmed') ${others}
      group by artist_id
    ),`;
  const leastBusy = sql`coalesce(sessions, 0), coalesce(sessions_near, 0),
    case when ${areThere} then (
      select max(created_at) from bookings
      where artist_id = artists.id and status in ('pending', 'confirmed') ${others}
    ) end nulls first,
    position, id`;
  return sql`
    booked as (${bookedArtists(slot, moved, isOwnSession)}),
    ${isOnlyArtist ? sql`` : fortnight}
    artist as materialized (
      select id as artist_id, ${isOverlapping} as may_overlap,
        ${endWith(slot, 'artists.id')} as session_ends_at,
        ${endTextWith(slot, 'artists.id')} as session_ends_at_text,
        case when ${areThere} then name end as artist_name
      from artists left join booked on artist_id = id
        ${isOnlyArtist ? sql`` : sql`left join fortnight on busy_id = id`}
      where ${isPossible} and (${only}::integer is null or id = ${only})
        ${isOnlyArtist ? sql`and not ${areSeveral}` : sql`order by ${order} ${leastBusy}`}
      limit 1
    )`;
}

/**
 * For each artist with a live booking within two days of the slot: whether one is in it, whether one is
 * around it, and how many are on its date. The statement must provide `moment.now`. `moved`: the booking
 * that is moved, which does not count. @internal
 */
export function bookedArtists(
  slot: BookedSlot,
  moved: string | null,
  isOwnSession: RawBuilder<unknown> | null = null,
): RawBuilder<unknown> {
  const ownSession =
    isOwnSession === null
      ? sql``
      : sql`, max(array[date::text, time_slot, artist_name])
          filter (where ${isAround(slot, latestEnd(slot))} and ${isOwnSession}) as own_session`;
  return sql`
    select artist_id, bool_or(${isIn(slot)}) as is_in_slot, bool_or(${isAround(slot, endWith(slot, 'artist_id'))}) as is_around,
      count(*) filter (where date = ${slot.date}::date) as sessions ${ownSession}
    from bookings, moment
    where ${isNear(slot)}
      and ${isLiveNow}
      ${moved === null ? sql`` : sql`and id <> ${moved}::uuid`}
    group by artist_id`;
}

/** Whether there are several artists. PostgreSQL then skips the scans that only they need. */
export const areSeveral = sql`(select count(*) from artists) > 1`;

/** Whether a row of `bookings`, beside `moment`, is live. */
export const isLiveNow = sql`(status = 'confirmed' or (status = 'pending' and expires_at > moment.now))`;

/** Whether a row of `artists` is not there yet, or any more. */
function isAway({ date }: BookedSlot): RawBuilder<boolean> {
  return sql`coalesce(${date}::date < first_day or ${date}::date > last_day, false)`;
}

/**
 * Whether a row of `artists` is closed: they do not work then, or are not there yet or any more, a closure
 * of theirs or of the studio covers the slot, or a busy interval of a watched calendar overlaps it. The
 * intervals of one calendar do not overlap each other: the last that begins before the session ends
 * decides. @internal
 */
export function isClosed(slot: BookedSlot): RawBuilder<boolean> {
  const { date, timeSlot, startsAt } = slot;
  const isTheirs = sql`(artist_id is null or artist_id = artists.id)`;
  return sql`(not ${hasSession(sql`${date}::date`, sql`${timeSlot}`, 'artists')}
    or ${isAway(slot)} or exists (
    select from closures
    where from_date <= ${date}::date + 2 and to_date >= ${date}::date - 2 and ${isTheirs}
      and case when starts_at is null
        then from_date <= ${date} and to_date >= ${date}
          and (time_slot is null or time_slot = ${timeSlot})
        else starts_at < ${endWith(slot, 'artists.id')} and ends_at > ${startsAt}::timestamptz end
  ) or exists (
    select from watched_calendars, lateral (
      select ends_at from busy_intervals
      where calendar_id = watched_calendars.id and starts_at < ${endWith(slot, 'artists.id')}
      order by starts_at desc limit 1
    ) as last_begun
    where ends_at > ${startsAt}::timestamptz and ${isTheirs}
  ))`;
}

/** A unique index (23505) or an exclusion constraint (23P01) of `bookings` on live ones. */
const slotConstraints = [
  'bookings_one_live_per_slot',
  'bookings_one_live_per_artist',
  'bookings_apart',
];

/** Whether a statement failed because another live booking has the slot. */
export function isSlotTaken(error: unknown): boolean {
  const { constraint } = error as { constraint?: string };
  return constraint !== undefined && slotConstraints.includes(constraint);
}
