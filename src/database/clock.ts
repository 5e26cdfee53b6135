import { type Kysely, sql } from 'kysely';
import type { Clock } from '../platform/clock.js';
import type { Database } from './rows/schema.js';

/** Measures the database's clock and corrects the process's by it. Returns the offset in ms. */
export async function measureClock(database: Kysely<Database>, clock: Clock): Promise<number> {
  const sentAt = clock.own();
  const { rows } = await sql<{ now: number }>`
    select floor(extract(epoch from booking_now()) * 1000)::double precision as now`.execute(
    database,
  );
  const receivedAt = clock.own();
  clock.correct(rows[0]?.now ?? receivedAt, sentAt, receivedAt);
  return clock.now() - clock.own();
}
