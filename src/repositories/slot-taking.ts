import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { TimeSlot } from '../../generated/schemas.js';
import type { NamedStatement } from '../database/pipelined-transaction.js';
import type { Database } from '../database/schema.js';
import { readPackage } from '../platform/package-root.js';
import { recordBookingEvents } from './events.js';
import { hasSession } from './openings.js';

/** The parts shared by all statements that give a slot to a booking. */

/**
 * Serializes the transactions that take or close slots, so that races cannot exceed a cap, and moves
 * cannot deadlock. A statement of its own: the snapshot of the next statement then includes every
 * change committed before. Fails where this version is below the database's minimum (`isOutdated`).
 */
export async function lockSlots(transaction: Transaction<Database>) {
  await lockStatement().execute(transaction);
}

/** As `lockSlots`, for a pipelined transaction. */
export function lockSlotsQuery(database: Kysely<Database>): NamedStatement {
  return { name: 'lock slots', query: lockStatement().compile(database) };
}

function lockStatement(): RawBuilder<unknown> {
  return sql`select lock_slots(${readPackage().version})`;
}

/** The columns of a booking that say when it is. */
export interface BookedSlot {
  date: string;
  timeSlot: TimeSlot;
  startsAt: Date;
  /** RFC 3339, with the studio's offset. */
  startsAtText: string;
  /** A busy interval of a watched calendar closes the slots whose sessions it overlaps. */
  endsAt: Date;
  endsAtText: string;
  timezone: string;
  label: string;
}

type SlotColumns = Pick<BookedSlot, 'date' | 'timeSlot'>;

/**
 * The common table expressions `lapsed` and `lapsed_events`, which expire a lapsed hold of the slot.
 * The statement must provide `moment.now`, and select from `after_expiry` before it writes the slot:
 * PostgreSQL orders data-modifying expressions only by such dependencies, and the lapsed hold would
 * otherwise conflict with the new booking.
 */
export function expireLapsedHold({ date, timeSlot }: SlotColumns): RawBuilder<unknown> {
  return sql`
    lapsed as (
      update bookings set status = 'expired', expired_at = expires_at, sequence = sequence + 1
      from moment
      where status = 'pending' and expires_at <= moment.now
        and date = ${date} and time_slot = ${timeSlot}
      returning bookings.*
    ),
    lapsed_events as (${recordBookingEvents('hold.expired', 'lapsed', sql`(select now from moment)`)}),
    after_expiry as (select count(*) from lapsed)`;
}

/**
 * Whether the studio has no session then, a closure covers the slot, or a busy interval of a watched
 * calendar overlaps it. The intervals of one calendar do not overlap each other: the last that begins
 * before the session ends decides.
 */
export function isClosed({ date, timeSlot, startsAt, endsAt }: BookedSlot): RawBuilder<boolean> {
  return sql`(not ${hasSession(sql`${date}::date`, sql`${timeSlot}`)} or exists (
    select 1 from closures
    where from_date <= ${date} and to_date >= ${date}
      and (time_slot is null or time_slot = ${timeSlot})
  ) or exists (
    select 1 from watched_calendars, lateral (
      select ends_at from busy_intervals
      where calendar_id = watched_calendars.id and starts_at < ${endsAt}::timestamptz
      order by starts_at desc limit 1
    ) as last_begun
    where ends_at > ${startsAt}::timestamptz
  ))`;
}

/**
 * Whether another live booking overlaps the session: one of another time zone, which keeps its instant
 * when the studio's zone changes; in one zone, sessions do not overlap. One without an end lasts as long
 * as any. The statement must provide `moment.now`. `except`: the booking that is moved.
 */
export function isOverlapped(
  { date, timeSlot, startsAt, endsAt }: BookedSlot,
  except: string | null,
): RawBuilder<boolean> {
  // The dates of any two zones differ by two at most; they are what the index has.
  return sql`exists (
    select from bookings other
    where other.date between ${date}::date - 2 and ${date}::date + 2
      and (other.status = 'confirmed'
        or (other.status = 'pending' and other.expires_at > moment.now))
      and other.starts_at < ${endsAt}::timestamptz
      and coalesce(other.ends_at, other.starts_at + interval '4 hours') > ${startsAt}::timestamptz
      and (other.date, other.time_slot) is distinct from (${date}::date, ${timeSlot}::time_slot)
      and other.id is distinct from ${except}::uuid
  )`;
}

const uniqueViolation = '23505';

/** Whether a statement failed because another live booking has the slot. */
export function isSlotTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === uniqueViolation && constraint === 'bookings_one_live_per_slot';
}
