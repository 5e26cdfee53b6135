import type { Socket } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { isOutdated } from '../platform/database-errors.js';
import type { Logger } from '../platform/log.js';
import { type Metrics, noMetrics } from '../platform/metrics/metrics.js';
import { readPackage } from '../platform/package-root.js';
import type { PlatformServices } from '../platform/services.js';
import { shedRequest } from '../platform/shed.js';
import { noTracing, type Tracing } from '../platform/tracing/tracing.js';
import type { Database } from './rows/schema.js';
import { traceQueries } from './traced-queries.js';

/** The database's address: a connection string, or its parts. */
export type Connection = Pick<
  pg.ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>;

/** The part of a process that a connection serves. */
type ConnectionPart = 'listener' | 'queues';

export const applicationPrefix = 'tattoo-studio-booking';

/**
 * The name of a connection in `pg_stat_activity`: the versions of the service and of its Node.js's time
 * zone data, by which `listProcesses` distinguishes processes.
 */
export function applicationName(part?: ConnectionPart): string {
  const versions = `${readPackage().version} ${process.versions['tz'] ?? 'unknown'}`;
  return [applicationPrefix, versions, part].filter((word) => word !== undefined).join(' ');
}

const dateType = 1082;
const poolSize = 16;
/** The number of waiting requests at which further ones are shed. */
const maxWaiting = 1_000;
/** Limits the wait for a connection from the pool, including the time to open a new one. */
const connectTimeoutMs = 2_000;
const lockTimeoutMs = 3_000;
const statementTimeoutMs = 5_000;
/** Longer than the statement timeout: a reachable server answers within that, with an error. */
const silenceTimeoutMs = 7_000;

// A `date` is a calendar date, not an instant: it stays text.
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format) =>
    oid === dateType
      ? (value: string) => value
      : (pg.types.getTypeParser(oid, format) as (value: string) => unknown),
};

/** Settings of the server for each session of a pool, such as `{ lock_timeout: 3_000 }`. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/**
 * For repeatable work: commits do not wait for the disk. A crash of the server may lose the
 * transactions of the last half second, but never part of a transaction.
 */
export const asynchronousCommit: SessionSettings = { synchronous_commit: 'off' };

export type Connector = () => Promise<pg.PoolClient>;

export interface PoolOptions {
  max?: number;
  /** Sends a query before the previous one on the connection has been answered. */
  pipeline?: boolean;
  /** Beside the timeouts. */
  settings?: SessionSettings;
  /** Traces the queries. */
  tracing?: Tracing;
}

/** A pool whose connections have timeouts for statements and locks, and are opened on demand. */
export function createPool(
  connection: Connection,
  log: Logger,
  { max = poolSize, settings, pipeline = false, tracing = noTracing }: PoolOptions = {},
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max,
    pipeline,
    types,
    application_name: applicationName(),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    onConnect: sessionOpener(
      {
        statement_timeout: statementTimeoutMs,
        lock_timeout: lockTimeoutMs,
        idle_in_transaction_session_timeout: statementTimeoutMs,
        ...settings,
      },
      silenceTimeoutMs,
    ),
  });
  // Without this handler, the loss of an idle connection would end the process.
  pool.on('error', (error) => {
    log[pool.ending ? 'debug' : 'warn']({ err: error }, 'an idle database connection was lost');
  });
  logOutdatedOnce(pool, log);
  if (tracing.isOn) traceQueries(pool, tracing);
  return pool;
}

/**
 * The `onConnect` of a pool: sets the settings of a new connection by a statement, since PgBouncer
 * accepts none in the startup message, and ends it once a query has had no answer for `silenceTimeoutMs`:
 * the server or the network is gone without an error. Statements must have a shorter timeout.
 */
export function sessionOpener(settings: SessionSettings, silenceTimeoutMs?: number): OnConnect {
  const statements = Object.entries(settings).map(([name, value]) => `set ${name} = ${value}`);
  const open = async (client: pg.ClientBase): Promise<void> => {
    if (silenceTimeoutMs !== undefined) destroyOnceSilent(client as pg.Client, silenceTimeoutMs);
    await client.query(statements.join('; '));
  };
  // The pool awaits it, which its types do not say.
  return open as OnConnect;
}

type OnConnect = NonNullable<pg.PoolConfig['onConnect']>;

function destroyOnceSilent(client: pg.Client, timeoutMs: number): void {
  // A lost connection rejects its query; without this handler, the event would end the process.
  client.on('error', () => undefined);
  const stream = client.connection.stream as Socket;
  stream.setTimeout(timeoutMs, () => {
    // The types of the driver lack this flag.
    if ((client as unknown as { readyForQuery: boolean }).readyForQuery) return;
    stream.destroy(Object.assign(new Error('the database did not answer'), { code: 'ETIMEDOUT' }));
  });
}

/** Logs once that this process is outdated: every slot and every probe fails alike. */
function logOutdatedOnce(pool: pg.Pool, log: Logger): void {
  let isLogged = false;
  pool.on('connect', ({ connection }) => {
    connection.on('errorMessage', (error: Error) => {
      if (isLogged || !isOutdated(error)) return;
      isLogged = true;
      log.error(
        { err: error },
        'a newer version has changed the database: this process takes no slot until it is updated',
      );
    });
  });
}

/**
 * Returns a function that acquires a connection from the pool. It rejects as in an outage after the
 * connect timeout, and at once with `service_unavailable` if too many requests are waiting.
 */
export function connector(pool: pg.Pool, metrics: Metrics = noMetrics): Connector {
  return async () => {
    if (pool.waitingCount >= maxWaiting) throw shedRequest(metrics, 'database_pool');
    return pool.connect();
  };
}

/** Kysely on the pool. */
export function createDatabase(pool: pg.Pool, metrics: Metrics = noMetrics): Kysely<Database> {
  return new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: {
        connect: connector(pool, metrics),
        end: () => pool.end(),
      },
    }),
  });
}

/** Registers the gauges of the connection pool. */
export function registerPoolMetrics({
  metrics,
  pool,
}: Pick<PlatformServices, 'metrics'> & { pool: pg.Pool }): void {
  metrics.addGauge({
    name: 'booking_database_connections',
    help: 'Connections of the database pool, idle or busy, and requests that wait for one.',
    labels: ['state'],
    read: () => [
      { labels: { state: 'idle' }, value: pool.idleCount },
      { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
      { labels: { state: 'awaited' }, value: pool.waitingCount },
    ],
  });
}
