import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { withClient } from './client.js';
import { dataInventory } from './data-inventory.js';
import { applicationPrefix, type Connection } from './pool.js';
import { onlyRow } from './row-queries.js';
import type { Database } from './rows/schema.js';

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
  /** The version, such as 180000. */
  versionNumber: number;
  version: string;
  /** The encoding, such as `UTF8`. */
  encoding: string;
  databaseBytes: number;
}

export async function readServerFacts(database: Kysely<Database>): Promise<ServerFacts> {
  const { rows } = await sql<ServerFacts>`
    select current_setting('server_version_num')::integer as "versionNumber",
      current_setting('server_version') as version,
      current_setting('server_encoding') as encoding,
      pg_database_size(current_database())::double precision as "databaseBytes"`.execute(database);
  return onlyRow(rows);
}

const tables = Object.keys(dataInventory);

/** The indexes that prevent a second booking of a time, a second use of a key and the like. @internal */
export const uniqueIndexes = [
  // One of the two indexes of days of a week has an expression, the other excludes.
  ...tables.filter((table) => table !== 'week_days').map((table) => `${table}_pkey`),
  'api_keys_key_hash_key',
  'artists_slug_key',
  'audit_log_position_key',
  'bookings_apart',
  'bookings_by_checkout_token',
  'bookings_by_idempotency_key',
  'bookings_one_live_per_artist',
  'bookings_one_live_per_slot',
  'calendar_feeds_token_hash_key',
  'console_sessions_token_hash_key',
  'events_position_key',
  'mails_event_id_recipient_kind_key',
  'mails_position_key',
  'passkeys_credential_id_key',
  'watched_calendars_address_hash_key',
  'webhook_deliveries_event_id_subscription_id_key',
  'webhook_subscriptions_manage_token_hash_key',
  'week_days_apart',
  'week_days_that_go_on',
];

export async function listMissingTables(database: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${tables}::text[]) as name where to_regclass(name) is null
    order by name`.execute(database);
  return rows.map(({ name }) => name);
}

/** Those of `uniqueIndexes` that are not there, or were not built to their end. */
export async function listMissingIndexes(database: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${uniqueIndexes}::text[]) as name
    where not exists (
      select from pg_index
      where indexrelid = to_regclass(name) and indisvalid and (indisunique or indisexclusion))
    order by name`.execute(database);
  return rows.map(({ name }) => name);
}

/** Why the database refuses writes, in its words; null if it does not. The attempt leaves nothing. */
export async function refusedWrite(connection: Connection): Promise<string | null> {
  return withClient(connection, async (client) => {
    await client.query(`begin; set local lock_timeout = '2s'; set local statement_timeout = '5s'`);
    const writing = client.query(`insert into installation (name, value) values ('doctor', '')`);
    const refusal = await writing.then(
      () => null,
      (error: Error) => error.message,
    );
    await client.query('rollback');
    return refusal;
  });
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

export async function listProcesses<Schema>(database: Kysely<Schema>): Promise<RunningProcesses[]> {
  const pattern = `^${applicationPrefix}(?: (\\S+) (\\S+))? listener$`;
  const { rows } = await sql<RunningProcesses>`
    select versions[1] as version, versions[2] as "zoneData", count(*)::integer as count
    from pg_stat_activity, regexp_match(application_name, ${pattern}) as versions
    where datname = current_database() and versions is not null
    group by 1, 2 order by 1 nulls first, 2`.execute(database);
  return rows;
}

/** The versions of everything of the service that is connected, also starting processes and commands. */
export async function listConnected<Schema>(database: Kysely<Schema>): Promise<(string | null)[]> {
  const pattern = `^${applicationPrefix}(?: (\\S+) (\\S+))?(?: listener| queues)?$`;
  const { rows } = await sql<{ version: string | null }>`
    select distinct versions[1] as version
    from pg_stat_activity, regexp_match(application_name, ${pattern}) as versions
    where datname = current_database() and versions is not null
    order by 1 nulls first`.execute(database);
  return rows.map(({ version }) => version);
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
