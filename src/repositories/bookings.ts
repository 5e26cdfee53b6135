import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { transactInOneTrip, type NamedStatement } from '../database/one-trip.js';
import type { Connector } from '../database/pool.js';
import {
  heldBookingColumns,
  publicBookingColumns,
  type BookingRow,
  type Database,
  type HeldBookingRow,
  type PublicBookingRow,
  type TimeSlotName,
} from '../database/schema.js';
import { recordBookingEvents } from './events.js';

/** What a new hold needs to be written down; the database adds the instants. */
export interface NewHold {
  date: string;
  timeSlot: TimeSlotName;
  startsAt: Date;
  startsAtText: string;
  timezone: string;
  label: string;
  lifetimeSeconds: number;
  name: string;
  email: string;
  phone: string;
  pronouns: string | null;
  idea: string | null;
  callerHash: Buffer;
  apiKeyId: string | null;
  checkoutTokenHash: Buffer;
  checkoutTokenSealed: Buffer;
  idempotencyScope: Buffer | null;
  idempotencyKey: string | null;
  requestHash: Buffer;
}

export interface PendingCaps {
  /** Pending holds of the whole studio. */
  studio: number;
  /** Pending holds of one caller, by API key and by address. */
  caller: number;
}

/** Any number, as long as it is the same in every process. */
const holdCreationLock = 0x686f6c64;

const lockForHolds = sql`select pg_advisory_xact_lock(${sql.lit(holdCreationLock)})`;

/**
 * Lets one transaction at a time create holds, so that races cannot pass a cap. It must be its own
 * statement: the next one's snapshot then shows every hold that was committed before.
 */
export async function lockHoldCreation(transaction: Transaction<Database>): Promise<void> {
  await lockForHolds.execute(transaction);
}

/**
 * Expires a lapsed hold of the slot, then holds the slot unless a cap is reached, it is taken or the
 * studio has closed it, and records what happened, in one round trip. Null when nothing was held.
 */
export async function insertHold(
  database: Kysely<Database>,
  connect: Connector,
  hold: NewHold,
  caps: PendingCaps,
): Promise<HeldBookingRow | null> {
  const [, rows] = await transactInOneTrip(connect, holdStatements(database, hold, caps));
  return (rows as HeldBookingRow[])[0] ?? null;
}

/** What `insertHold` runs between `begin` and `commit`. */
export function holdStatements(
  database: Kysely<Database>,
  hold: NewHold,
  caps: PendingCaps,
): NamedStatement[] {
  return [
    { name: 'lock hold creation', query: lockForHolds.compile(database) },
    { name: 'insert hold', query: holdStatement(hold, caps).compile(database) },
  ];
}

function holdStatement(hold: NewHold, caps: PendingCaps): RawBuilder<HeldBookingRow> {
  return sql`
    with moment as materialized (select booking_now() as now),
    lapsed as (
      update bookings set status = 'expired', expired_at = expires_at, sequence = sequence + 1
      from moment
      where status = 'pending' and expires_at <= moment.now
        and date = ${hold.date} and time_slot = ${hold.timeSlot}
      returning bookings.*
    ),
    lapsed_events as (${recordBookingEvents('hold.expired', 'lapsed', sql`(select now from moment)`)}),
    pending as (
      select count(*) as studio,
        count(*) filter (where caller_hash = ${hold.callerHash}) as address,
        count(*) filter (where api_key_id = ${hold.apiKeyId}) as key
      from bookings, moment
      where status = 'pending' and expires_at > moment.now
    ),
    held as (
      insert into bookings (
        date, time_slot, starts_at, starts_at_text, timezone, label, created_at, expires_at,
        name, email, phone, pronouns, idea, caller_hash, api_key_id,
        checkout_token_hash, checkout_token_sealed,
        idempotency_scope, idempotency_key, request_hash
      )
      select ${hold.date}::date, ${hold.timeSlot}, ${hold.startsAt}::timestamptz,
        ${hold.startsAtText}, ${hold.timezone}, ${hold.label}, moment.now,
        moment.now + make_interval(secs => ${hold.lifetimeSeconds}),
        ${hold.name}, ${hold.email}, ${hold.phone}, ${hold.pronouns}, ${hold.idea},
        ${hold.callerHash}::bytea, ${hold.apiKeyId}::uuid,
        ${hold.checkoutTokenHash}::bytea, ${hold.checkoutTokenSealed}::bytea,
        ${hold.idempotencyScope}::bytea, ${hold.idempotencyKey}, ${hold.requestHash}::bytea
      from moment, pending, (select count(*) from lapsed) as after_expiry
      where pending.studio < ${caps.studio} and pending.address < ${caps.caller}
        and pending.key < ${caps.caller}
        and not exists (
          select 1 from closures
          where from_date <= ${hold.date} and to_date >= ${hold.date}
            and (time_slot is null or time_slot = ${hold.timeSlot})
        )
      on conflict do nothing
      returning *
    ),
    held_event as (${recordBookingEvents('hold.created', 'held', sql`created_at`)})
    select ${sql.join(heldBookingColumns.map((column) => sql.ref(column)))} from held`;
}

/**
 * When the earliest place under each reached cap becomes free, in whole seconds from now; null
 * where no cap is reached.
 */
export async function secondsUntilPlaceIsFree(
  database: Kysely<Database>,
  caller: { callerHash: Buffer; apiKeyId: string | null },
  caps: PendingCaps,
): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    with moment as materialized (select booking_now() as now),
    pending as (
      select expires_at, caller_hash, api_key_id from bookings, moment
      where status = 'pending' and expires_at > moment.now
    ),
    free_at as (
      (select expires_at from pending
        order by expires_at desc offset ${caps.studio - 1} limit 1)
      union all
      (select expires_at from pending where caller_hash = ${caller.callerHash}
        order by expires_at desc offset ${caps.caller - 1} limit 1)
      union all
      (select expires_at from pending where api_key_id = ${caller.apiKeyId}
        order by expires_at desc offset ${caps.caller - 1} limit 1)
    )
    select ceil(extract(epoch from max(expires_at) - (select now from moment)))::integer as seconds
    from free_at`.execute(database);
  return rows[0]?.seconds ?? null;
}

/** What anyone may see of each of these bookings, in their order; null where there is none. */
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

/** `scopes` holds the scope under each known secret key, so that a rotation forgets no key. */
export async function findBookingByIdempotencyKey(
  database: Kysely<Database>,
  scopes: Buffer[],
  key: string,
): Promise<BookingRow | null> {
  const row = await database
    .selectFrom('bookings')
    .selectAll()
    .where('idempotency_scope', 'in', scopes)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
  return row ?? null;
}

/** The holds whose alarm clocks must be set, such as after a start: pending, soonest first. */
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
