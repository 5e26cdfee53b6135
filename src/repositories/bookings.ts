import { sql, type Kysely } from 'kysely';
import {
  publicBookingColumns,
  type BookingRow,
  type Database,
  type PublicBookingRow,
} from '../database/schema.js';

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
  const { rows } = await sql<PublicBookingRow & Omit<ReplayableHold, 'booking'>>`
    select ${sql.join(publicBookingColumns.map((column) => sql.ref(`held.${column}`)))},
      bookings.request_hash as "requestHash",
      bookings.checkout_token_sealed as "checkoutTokenSealed"
    from bookings
      join events on events.booking_id = bookings.id and events.type = 'hold.created',
      jsonb_populate_record(null::bookings, events.data) as held
    where bookings.idempotency_scope = any(${scopes}::bytea[])
      and bookings.idempotency_key = ${key}`.execute(database);
  const [row] = rows;
  if (row === undefined) return null;
  const { requestHash, checkoutTokenSealed, ...booking } = row;
  return { booking, requestHash, checkoutTokenSealed };
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
