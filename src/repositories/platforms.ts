import { sql, type Kysely, type Transaction } from 'kysely';
import { deleter, finder } from '../database/row-queries.js';
import type { Database } from '../database/rows/schema.js';
import type { PlatformRow } from '../database/rows/studio.js';
import { countsTowardsCallerCap } from './caps.js';

/** The NOTIFY channel of changes to the platforms; a trigger on the table sends it. */
export const platformsChannel = 'platforms';

export type NewPlatform = Omit<PlatformRow, 'created_at'>;
export type PlatformChanges = Partial<Omit<NewPlatform, 'name'>>;

export async function listPlatforms(database: Kysely<Database>) {
  return database.selectFrom('platforms').selectAll().orderBy('name').execute();
}

/** Serializes changes, so that concurrent ones cannot add ranges that overlap. */
export async function lockPlatforms(transaction: Transaction<Database>) {
  await sql`lock table platforms in share row exclusive mode`.execute(transaction);
}

export const findPlatform = finder('platforms', 'name');

/** A range of another platform that shares addresses with one of these; null without one. */
export async function findOverlap(
  transaction: Transaction<Database>,
  { name, ranges }: Pick<PlatformRow, 'name' | 'ranges'>,
) {
  const { rows } = await sql<{ name: string; range: string }>`
    select name, present::text as range
    from platforms, unnest(ranges) as present, unnest(${ranges}::cidr[]) as wanted
    where name <> ${name} and present && wanted
    limit 1`.execute(transaction);
  return rows[0] ?? null;
}

export async function insertPlatform(transaction: Transaction<Database>, platform: NewPlatform) {
  return transaction
    .insertInto('platforms')
    .values({ ...platform, created_at: sql<Date>`booking_now()` })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updatePlatform(
  transaction: Transaction<Database>,
  name: string,
  changes: PlatformChanges,
) {
  const row = await transaction
    .updateTable('platforms')
    .set(changes)
    .where('name', '=', name)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export const deletePlatform = deleter('platforms', 'name');

/** Makes every process read the platforms again after a transaction that disabled the trigger. */
export async function announcePlatforms(transaction: Transaction<Database>) {
  await sql`select pg_notify(${platformsChannel}, '')`.execute(transaction);
}

/** The present use of a platform's caps. */
export interface PlatformUse {
  name: string;
  pendingHolds: number;
  /** Live bookings placed within 24 hours. */
  liveBookings: number;
}

export async function readPlatformUse(database: Kysely<Database>, sessionHours: number) {
  const { rows } = await sql<PlatformUse>`
    with moment as materialized (select booking_now() as now),
    placed as materialized (
      select platform, status, expires_at from bookings, moment
      where platform in (select name from platforms)
        and ${countsTowardsCallerCap(sessionHours)}
    )
    select name,
      (select count(*)::integer from placed where platform = name and status = 'pending')
        as "pendingHolds",
      (select count(*)::integer from placed where platform = name) as "liveBookings"
    from platforms order by name`.execute(database);
  return rows;
}
