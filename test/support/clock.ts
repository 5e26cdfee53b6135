import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { createClock, type Clock } from '../../src/platform/clock.js';

/**
 * From now on, the database's clock (the SQL function that every decision reads) shows that much
 * more than the true time, as if the service had run until then. Counts from the true time, not from
 * the last shift. Only in a database of the test's own.
 */
export async function shiftDatabaseClock<Tables>(
  database: Kysely<Tables>,
  milliseconds: number,
): Promise<void> {
  await jumpDatabaseClock(database, milliseconds);
  await recordFormerNight(database);
}

/** As `shiftDatabaseClock`, but at once, as a clock does that is set wrong. */
export async function jumpDatabaseClock<Tables>(
  database: Kysely<Tables>,
  milliseconds: number,
): Promise<void> {
  const shift = sql.raw(`interval '${milliseconds} milliseconds'`);
  await sql`
    create or replace function booking_now() returns timestamptz
      language sql volatile parallel safe
      as $$ select date_trunc('milliseconds', clock_timestamp() + ${shift}) $$`.execute(database);
}

/** Two dates back, which is a night before the present one in every time zone. */
async function recordFormerNight<Tables>(database: Kysely<Tables>): Promise<void> {
  await sql`
    insert into installation
    values ('personal_data_erased_on', ((booking_now() at time zone 'UTC')::date - 2)::text)
    on conflict (name) do update set value = excluded.value`.execute(database);
}

/** As `shiftDatabaseClock`, but the clock stands still at that instant (ms since the epoch). */
export async function stopDatabaseClock<Tables>(
  database: Kysely<Tables>,
  epochMs: number,
): Promise<void> {
  const instant = sql.raw(`timestamptz '${new Date(epochMs).toISOString()}'`);
  await sql`
    create or replace function booking_now() returns timestamptz
      language sql volatile parallel safe as $$ select ${instant} $$`.execute(database);
  await recordFormerNight(database);
}

/** A process's clock that only advances by `advance()`. */
export function standingClock(): Clock & { advance(milliseconds: number): void } {
  let now = Date.now();
  return {
    ...createClock(() => now),
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}

/** Resolves after the delay: for tests whose subject is time, never to wait for something. */
export function later(milliseconds: number): Promise<void> {
  return setTimeout(milliseconds);
}
