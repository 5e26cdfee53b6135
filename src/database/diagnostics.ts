import { statfs } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { withClient } from './client.js';
import type { Connection } from './pool.js';
import type { Database } from './schema.js';

/** Questions about the database that only an examination asks. */

/**
 * Whether a connection is a session of its own. Behind a pooler that lends sessions by transaction
 * (PgBouncer's default), a connection changes its session while another holds the former one; LISTEN
 * and advisory locks do not work there.
 */
export async function isSession(connection: Connection): Promise<boolean> {
  return withClient(connection, (ours) =>
    withClient(connection, async (other) => {
      const first = await backendOf(ours);
      await other.query('begin');
      const others = await backendOf(other);
      return others !== first && (await backendOf(ours)) === first;
    }),
  );
}

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

export interface ServerFacts {
  /** Such as 180000. */
  versionNumber: number;
  version: string;
  databaseBytes: number;
}

export async function readServerFacts(database: Kysely<Database>): Promise<ServerFacts> {
  const { rows } = await sql<ServerFacts>`
    select current_setting('server_version_num')::integer as "versionNumber",
      current_setting('server_version') as version,
      pg_database_size(current_database())::double precision as "databaseBytes"`.execute(database);
  const [facts] = rows;
  if (facts === undefined) throw new Error('the server told nothing about itself');
  return facts;
}

/** A time of day on a date, and the instant that the database takes it for in a time zone. */
export interface WallClockInstant {
  date: string;
  hour: number;
  epochMs: number;
}

/** How the database's time-zone data places these hours of the dates from now on. */
export async function readWallClock(
  database: Kysely<Database>,
  timezone: string,
  hours: readonly number[],
  days: number,
): Promise<WallClockInstant[]> {
  const { rows } = await sql<WallClockInstant>`
    select day::date::text as date, hour,
      (extract(epoch from (day::date + make_interval(hours => hour)) at time zone ${timezone})
        * 1000)::double precision as "epochMs"
    from generate_series(
        booking_now()::date::timestamp, booking_now()::date::timestamp
          + make_interval(days => ${days}), interval '1 day') as day,
      unnest(${[...hours]}::integer[]) as hour`.execute(database);
  return rows;
}

/** Free bytes, to us, of the disk that the folder is on. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
