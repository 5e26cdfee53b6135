import type { Socket } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from '../platform/log.js';
import { noMetrics, type Metrics } from '../platform/metrics/metrics.js';
import { shedRequest } from '../platform/shed.js';
import type { Database } from './schema.js';

/** How to reach the database: a connection string, or the parts of one. */
export type Connection = Pick<
  pg.ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>;

const dateType = 1082;
const poolSize = 16;
/** Beyond this crowd, whoever asks is turned away at once. */
const longestQueue = 1_000;
/** For a connection of the pool, or for a new one. */
const connectTimeoutMs = 2_000;
const lockTimeoutMs = 3_000;
const statementTimeoutMs = 5_000;
/** A server that lives has ended the statement by then. */
const silenceTimeoutMs = 7_000;

// A `date` is a calendar date and no instant: it stays text.
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format) =>
    oid === dateType
      ? (value: string) => value
      : (pg.types.getTypeParser(oid, format) as (value: string) => unknown),
};

/**
 * For work that can be done again. Its commits do not wait for the disk: a crash of the server may
 * lose the last half second of them, always the newest, and never a part of one.
 */
export const asynchronousCommit = '-c synchronous_commit=off';

export type Connector = () => Promise<pg.PoolClient>;

export interface PoolOptions {
  max?: number;
  /** Sends a query without waiting for the answer to the one before on the same connection. */
  pipeline?: boolean;
  /** Settings of the server, as `-c name=value`. */
  options?: string;
}

/** Connections whose statements and waits for locks are bounded. Opened on demand. */
export function createPool(
  connection: Connection,
  log: Logger,
  { max = poolSize, options, pipeline = false }: PoolOptions = {},
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max,
    pipeline,
    ...(options !== undefined && { options }),
    types,
    application_name: 'tattoo-studio-booking',
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    keepAlive: true,
  });
  // Without a listener, an idle connection that the server closes ends the process.
  pool.on('error', (error) => {
    log[pool.ending ? 'debug' : 'warn']({ err: error }, 'an idle database connection was lost');
  });
  guardConnections(pool, silenceTimeoutMs);
  return pool;
}

/**
 * Ends each connection of the pool that has owed an answer for so long: its server, or the way to
 * it, is gone without a word. Statements must have a shorter timeout of their own.
 */
export function guardConnections(pool: pg.Pool, silenceMs: number): void {
  pool.on('connect', (client) => {
    // Whoever uses the connection learns of its loss from the query. The pool listens while it is
    // idle; without a listener, a loss in mid-query ends the process.
    client.on('error', () => undefined);
    const stream = client.connection.stream as Socket;
    stream.setTimeout(silenceMs, () => {
      // The driver's own flag, which its types do not tell.
      if ((client as unknown as { readyForQuery: boolean }).readyForQuery) return;
      stream.destroy(
        Object.assign(new Error('the database owes an answer'), { code: 'ETIMEDOUT' }),
      );
    });
  });
}

/**
 * Takes a connection of the pool. Its queue is bounded in time (who waits then fails as in an
 * outage) and in length: beyond it, whoever asks fails at once with `service_unavailable`.
 */
export function connector(pool: pg.Pool, metrics: Metrics = noMetrics): Connector {
  return async () => {
    if (pool.waitingCount >= longestQueue) throw shedRequest(metrics, 'database_pool');
    return pool.connect();
  };
}

/** The tables, through the pool. */
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
