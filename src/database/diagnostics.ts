import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { withClient } from './client.js';
import { applicationPrefix, type Connection } from './pool.js';
import { onlyRow } from './rows.js';
import type { Database } from './schema.js';

/**
 * Whether a connection keeps one session. Behind a pooler in transaction mode (PgBouncer), its next
 * statement may run in another session, where LISTEN and advisory locks do not work.
 */
export async function isSession(connection: Connection): Promise<boolean> {
  return withClient(connection, (client) =>
    withClient(connection, async (other) => {
      const first = await backendOf(client);
      await other.query('begin');
      const second = await backendOf(other);
      return second !== first && (await backendOf(client)) === first;
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
  return onlyRow(rows);
}

/** An hour of a date, and its instant in a time zone by the database's time-zone data. */
export interface WallClockInstant {
  date: string;
  hour: number;
  epochMs: number;
}

/** These hours of today and the days after, with their instants in the time zone. */
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

/** Processes of the service that are connected, with the versions of `applicationName`. */
export interface RunningProcesses {
  /** Null before 2.9. */
  version: string | null;
  zoneData: string | null;
  count: number;
}

export async function listProcesses(database: Kysely<Database>): Promise<RunningProcesses[]> {
  const pattern = `^${applicationPrefix}(?: (\\S+) (\\S+))? listener$`;
  const { rows } = await sql<RunningProcesses>`
    select versions[1] as version, versions[2] as "zoneData", count(*)::integer as count
    from pg_stat_activity, regexp_match(application_name, ${pattern}) as versions
    where datname = current_database() and versions is not null
    group by 1, 2 order by 1 nulls first, 2`.execute(database);
  return rows;
}

/** The latest instant of the last thousand events, whatever their order; null without any. */
export async function readLatestInstant(database: Kysely<Database>): Promise<Date | null> {
  const { rows } = await sql<{ latest: Date | null }>`
    select max(occurred_at) as latest
    from (select occurred_at from events order by position desc limit 1000) as recent`.execute(
    database,
  );
  return onlyRow(rows).latest;
}
