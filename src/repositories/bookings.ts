import { sql, type Kysely } from 'kysely';
import {
  publicBookingColumns,
  type BookingRow,
  type Database,
  type PublicBookingRow,
} from '../database/schema.js';
import { bookingAtEvent, type BookingSnapshot } from '../database/booking-snapshots.js';

/** The public columns of bookings in the order of `ids`; null for unknown ids. */
export async function findPublicBookings(
  database: Kysely<Database>,
  ids: string[],
): Promise<(PublicBookingRow | null)[]> {
  const rows = await database
    .selectFrom('bookings')
    .select(publicBookingColumns)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}

export async function findBookingByCheckoutToken(
  database: Kysely<Database>,
  tokenHash: Buffer,
): Promise<BookingRow | null> {
  const row = await database
    .selectFrom('bookings')
    .selectAll()
    .where('checkout_token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row ?? null;
}

/** What the replay of a hold request needs. */
export interface ReplayableHold {
  /** As the hold was placed, whatever has become of it. */
  booking: PublicBookingRow;
  requestHash: Buffer | null;
  checkoutTokenSealed: Buffer;
}

/** `scopes`: HMACs of the scope, one per known secret key. */
export async function findHoldByIdempotencyKey(
  database: Kysely<Database>,
  scopes: Buffer[],
  key: string,
): Promise<ReplayableHold | null> {
  const row = await database
    .selectFrom('bookings')
    .innerJoin('events', 'events.booking_id', 'bookings.id')
    .select(['events.data', 'request_hash', 'checkout_token_sealed'])
    .where('events.type', '=', 'hold.created')
    .where('idempotency_scope', 'in', scopes)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    booking: bookingAtEvent(row.data as BookingSnapshot),
    requestHash: row.request_hash,
    checkoutTokenSealed: row.checkout_token_sealed,
  };
}

/** Pending holds, soonest to expire first. */
export async function listPendingHolds(
  database: Kysely<Database>,
  limit: number,
): Promise<{ id: string; expires_at: Date }[]> {
  return database
    .selectFrom('bookings')
    .select(['id', 'expires_at'])
    .where('status', '=', 'pending')
    .orderBy('expires_at')
    .limit(limit)
    .execute();
}
