import { type Kysely, sql, type Transaction } from 'kysely';
import { finder } from '../database/row-queries.js';
import type { BookedSlot, ReplayableHold } from '../database/rows/results.js';
import {
  type BookingRow,
  type Database,
  publicBookingColumns,
  type RecordedBookingRow,
} from '../database/rows/schema.js';
import { changeData, recordBookingEvents } from './events.js';
import { expireLapsedHolds, freeArtist, labelWithArtist } from './slot-taking.js';

/** The public columns of bookings in the order of `ids`; null for unknown ids. */
export async function findPublicBookings(database: Kysely<Database>, ids: string[]) {
  const rows = await database
    .selectFrom('bookings')
    .select(publicBookingColumns)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}

export const findBookingByCheckoutToken = finder('bookings', 'checkout_token_hash');

/** Of a person whose details are kept. */
export async function setLanguage(database: Kysely<Database>, id: string, language: string) {
  await database
    .updateTable('bookings')
    .set({ language })
    .where('id', '=', id)
    .where('name', 'is not', null)
    .execute();
}

/**
 * Pending holds by the hash of their checkout token or of the nonce of their form, and the confirmed
 * booking of a slot by that of its form, the newest first.
 */
export async function findBookingsOfBrowser(
  database: Kysely<Database>,
  tokenHash: Buffer | null,
  formNonceHashes: readonly Buffer[],
  slot: Pick<BookingRow, 'date' | 'time_slot'> | null,
) {
  const isOfForm = sql`form_nonce_hash = any(${formNonceHashes}::bytea[])`;
  const { rows } = await sql<BookingRow>`
    select * from bookings
    where status = 'pending' and (checkout_token_hash = ${tokenHash} or ${isOfForm})
    union all
    select * from bookings
    where status = 'confirmed' and date = ${slot?.date ?? null}
      and time_slot = ${slot?.time_slot ?? null} and ${isOfForm}
    order by created_at desc`.execute(database);
  return rows;
}

/** `scopes`: HMACs of the scope, one per known secret key. */
export async function findHoldByIdempotencyKey(
  database: Kysely<Database>,
  scopes: Buffer[],
  key: string,
) {
  const { rows } = await sql<RecordedBookingRow & Omit<ReplayableHold, 'booking'>>`
    select ${sql.join(publicBookingColumns.map((column) => sql.ref(`held.${column}`)))},
      events.data -> 'handover' as "handover", bookings.request_hash as "requestHash",
      bookings.checkout_token_sealed as "checkoutTokenSealed"
    from bookings
      join events on events.booking_id = bookings.id and events.type = 'hold.created',
      jsonb_populate_record(null::bookings, events.data) as held
    where bookings.idempotency_scope = any(${scopes}::bytea[])
      and bookings.idempotency_key = ${key}`.execute(database);
  const [row] = rows;
  if (row === undefined) return null;
  const { handover, requestHash, checkoutTokenSealed, ...booking } = row;
  return { booking, handover, requestHash, checkoutTokenSealed };
}

export async function listPendingHolds(database: Kysely<Database>, limit: number) {
  return database
    .selectFrom('bookings')
    .select(['id', 'expires_at'])
    .where('status', '=', 'pending')
    .orderBy('expires_at')
    .limit(limit)
    .execute();
}

/** The columns of a booking that the studio adds. */
export interface NewBooking extends BookedSlot {
  name: string;
  email: string | null;
  phone: string | null;
  pronouns: string | null;
  idea: string | null;
  /** Of the client's mails, where they are booked again. */
  language?: string | null;
  checkoutTokenHash: Buffer;
  checkoutTokenSealed: Buffer;
  /** The lifetime for `expires_at`, which every booking has. */
  lifetimeSeconds: number;
  /** The artist; without one, the first who is possible. */
  artistId?: number | null;
}

/**
 * Inserts a confirmed booking, unless its slot is taken, and its event row. The transaction must hold
 * the lock of `lockSlots`.
 */
export async function insertConfirmed(transaction: Transaction<Database>, booking: NewBooking) {
  const { rows } = await sql<BookingRow>`
    with moment as materialized (select booking_now() as now),
    ${expireLapsedHolds(booking)},
    ${freeArtist(booking, { by: 'studio', only: booking.artistId ?? null })},
    added as (
      insert into bookings (
        status, date, time_slot, starts_at, starts_at_text, ends_at, ends_at_text, timezone, label,
        artist_id, may_overlap, artist_name, created_at, expires_at, confirmed_at, channel, confirmed_via,
        name, email, phone, pronouns, idea, language, checkout_token_hash, checkout_token_sealed
      )
      select 'confirmed', ${booking.date}::date, ${booking.timeSlot}, ${booking.startsAt}::timestamptz,
        ${booking.startsAtText}, session_ends_at, session_ends_at_text,
        ${booking.timezone}, ${labelWithArtist(booking)}, artist.artist_id, artist.may_overlap,
        artist.artist_name,
        moment.now, moment.now + make_interval(secs => ${booking.lifetimeSeconds}), moment.now,
        'studio', 'studio',
        ${booking.name}, ${booking.email}, ${booking.phone}, ${booking.pronouns}, ${booking.idea},
        ${booking.language ?? null}, ${booking.checkoutTokenHash}::bytea, ${booking.checkoutTokenSealed}::bytea
      from moment, after_expiry, artist
      on conflict do nothing
      returning *
    ),
    event as (${recordBookingEvents('booking.confirmed', 'added', sql`(select now from moment)`, changeData('studio'))})
    select * from added`.execute(transaction);
  return rows[0] ?? null;
}
