import {
  sql,
  type Expression,
  type Kysely,
  type RawBuilder,
  type SqlBool,
  type Transaction,
} from 'kysely';
import type { TimeSlot } from '../../generated/schemas.js';
import { finder } from '../database/row-queries.js';
import type { BookingSelector, ClientOfBooking } from '../database/rows/results.js';
import type { BookingRow, BookingStatus, Database } from '../database/rows/schema.js';
import { hasSession } from './openings.js';
import { foldedName, hasMailbox, isNamed } from './person-sessions.js';

/** Conditions; omitted ones do not apply. */
export interface BookingFilter {
  /** Dates, inclusive. */
  from?: string | undefined;
  to?: string | undefined;
  /** A lapsed hold counts as expired. */
  statuses?: readonly BookingStatus[] | undefined;
  /** Case-insensitive. */
  email?: string | undefined;
  /** null: of every artist. */
  artistId?: number | null | undefined;
  /** Hexadecimal digits and dashes. */
  idPrefix?: string | undefined;
}

/** Whether a row of `bookings` is of the artist; null: of anybody. */
export function isOfArtist(artistId: number | null): RawBuilder<SqlBool> {
  return artistId === null ? sql`true` : sql`artist_id = ${artistId}`;
}

export const lapsed = sql<boolean>`(status = 'pending' and expires_at <= booking_now())`;
const isLive = sql<boolean>`status in ('pending', 'confirmed') and not ${lapsed}`;

/** The live bookings whose session has not begun, by date. */
function listUpcoming(database: Kysely<Database>, ...conditions: Expression<SqlBool>[]) {
  return database
    .selectFrom('bookings')
    .selectAll()
    .where((row) => row.and([isLive, sql<SqlBool>`starts_at > booking_now()`, ...conditions]))
    .orderBy('date')
    .orderBy('starts_at')
    .execute();
}

/** By date. */
export async function searchBookings(
  database: Kysely<Database>,
  { from, to, statuses, email, artistId = null, idPrefix }: BookingFilter,
  limit: number,
  offset = 0,
) {
  let query = database.selectFrom('bookings').selectAll().where(isOfArtist(artistId));
  if (from !== undefined) query = query.where('date', '>=', from);
  if (to !== undefined) query = query.where('date', '<=', to);
  if (email !== undefined) query = query.where(sql<SqlBool>`lower(email) = lower(${email.trim()})`);
  if (idPrefix !== undefined) query = query.where(hasIdPrefix(idPrefix));
  if (statuses !== undefined) {
    const status = sql<string>`case when ${lapsed} then 'expired' else status end`;
    query = query.where(status, 'in', statuses);
  }
  return query
    .orderBy('date')
    .orderBy('starts_at')
    .orderBy('created_at')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** A range of ids, which their index finds. */
function hasIdPrefix(prefix: string): Expression<SqlBool> {
  const digits = prefix.replaceAll('-', '').slice(0, 32);
  return sql<SqlBool>`id between ${digits.padEnd(32, '0')}::uuid and ${digits.padEnd(32, 'f')}::uuid`;
}

/** Whether a row of `bookings` is live, and not over. */
export const isToCome = sql<boolean>`(${isLive} and ends_at > booking_now())`;

/** Whether the text is in the name, the e-mail address or the phone. */
export function isOfPersonWith(text: string): RawBuilder<SqlBool> {
  const digits = /\p{L}/u.test(text) ? '' : text.replaceAll(/\D/g, '');
  const phone = digits.length === 11 ? digits.slice(1) : digits;
  // Folded once.
  const wanted = sql`(select fold_letters(${text}))`;
  return sql<SqlBool>`(name is not null and (
    (${wanted} <> ''
      and position(${wanted} in fold_letters(name || E'\\n' || coalesce(email, ''))) > 0)
    or (${phone.length >= 3} and phone like ${`%${phone}%`})))`;
}

/**
 * At most `limit` bookings with the text in their name or e-mail address, whatever its accents and letter
 * case, in the digits of their phone number, or at the beginning of their id; those to come first by
 * their start, then the latest sessions first.
 */
export async function findBookingsByText(
  database: Kysely<Database>,
  text: string,
  { limit, artistId }: { limit: number; artistId: number | null },
) {
  const isIdPrefix = /^[0-9a-f]{4}[0-9a-f-]{0,32}$/i.test(text);
  return database
    .selectFrom('bookings')
    .selectAll()
    .where((row) => row.or([isOfPersonWith(text), ...(isIdPrefix ? [hasIdPrefix(text)] : [])]))
    .where(isOfArtist(artistId))
    .orderBy(isToCome, 'desc')
    .orderBy(sql`case when ${isToCome} then starts_at end`)
    .orderBy('starts_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
}

export const findBooking = finder('bookings', 'id');

/** Slots from one date to another, inclusive; null selects all sessions of a day. */
export interface SlotSelection {
  fromDate: string;
  toDate: string;
  timeSlot: TimeSlot | null;
  /** null: of every artist. */
  artistId?: number | null;
  /** Only what overlaps these instants (milliseconds since the epoch), on whatever date. */
  interval?: { startsAt: number; endsAt: number } | null;
}

/** The live bookings of these slots whose session has not begun, by date. */
export async function listUpcomingBookingsOfSlots(
  database: Kysely<Database>,
  { fromDate, toDate, timeSlot, artistId = null, interval = null }: SlotSelection,
) {
  const isThen =
    interval === null
      ? sql<SqlBool>`date between ${fromDate} and ${toDate}`
      : sql<SqlBool>`starts_at < ${new Date(interval.endsAt)}
          and ends_at > ${new Date(interval.startsAt)}
          and date between ${fromDate}::date - 2 and ${toDate}::date + 2`;
  const isInSession =
    timeSlot === null ? sql<SqlBool>`true` : sql<SqlBool>`time_slot = ${timeSlot}`;
  return listUpcoming(database, isThen, isInSession, isOfArtist(artistId));
}

/** The live bookings from a date on whose session is neither in the week nor opened. */
export async function listLiveBookingsOutsideSessions(database: Kysely<Database>, from: string) {
  return database
    .selectFrom('bookings')
    .innerJoin('artists', 'artists.id', 'artist_id')
    .selectAll('bookings')
    .where(isLive)
    .where('date', '>=', from)
    .where((row) =>
      row.not(hasSession(sql.ref('bookings.date'), sql.ref('bookings.time_slot'), 'artists')),
    )
    .orderBy('date')
    .orderBy('starts_at')
    .execute();
}

/** The selected bookings that are live and whose session has not begun. */
export async function listUpcomingBookingsOf(
  database: Kysely<Database>,
  bookings: BookingSelector,
) {
  return listUpcoming(database, isSelected(bookings));
}

/** The live bookings to come that were made in another time zone, by date. */
export async function listUpcomingOutsideZone(database: Kysely<Database>, timezone: string) {
  return listUpcoming(database, sql<SqlBool>`timezone <> ${timezone}`);
}

/** Null if no booking has the id, or it is not the artist's; null: anybody's. */
export async function lockBooking(
  transaction: Transaction<Database>,
  id: string,
  artistId: number | null = null,
) {
  const { rows } = await sql<BookingRow>`
    select * from bookings where id = ${id} and ${isOfArtist(artistId)} for update
  `.execute(transaction);
  return rows[0] ?? null;
}

export function isSelected(bookings: BookingSelector): Expression<SqlBool> {
  if ('id' in bookings) return sql<SqlBool>`id = ${bookings.id}`;
  if ('client' in bookings) return isOfClient(bookings.client);
  return hasMailbox({ email: bookings.email.trim() });
}

/** The client of a booking: the mailbox, else the phone with the name, else the one booking. */
export const clientKey = sql<string>`
  coalesce(canonical_mailbox(email), phone || ' ' || ${foldedName(sql`name`)}, id::text)`;

/** Whether a row of `bookings` is of the client of the booking. */
export function isOfClient({ id, name, email, phone }: ClientOfBooking): RawBuilder<SqlBool> {
  if (email !== null) return hasMailbox({ email: email.trim() });
  if (phone === null) return sql`id = ${id}`;
  return sql`(email is null and phone = ${phone} and ${isNamed({ name })})`;
}

export function listBookingNames(database: Kysely<Database>, ids: readonly string[]) {
  return database
    .selectFrom('bookings')
    .select(['id', 'name'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
}
