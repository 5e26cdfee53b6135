import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from '../log.js';
import type { Database } from './schema.js';

/** How to reach the database: a connection string, or the parts of one. */
export type Connection = Pick<
  pg.ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>;

const dateType = 1082;
const poolSize = 16;
const statementTimeoutMs = 10_000;
const lockTimeoutMs = 5_000;
const connectTimeoutMs = 5_000;

// A `date` is a calendar date and no instant: it stays text.
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format) =>
    oid === dateType
      ? (value: string) => value
      : (pg.types.getTypeParser(oid, format) as (value: string) => unknown),
};

/** Connections whose statements and waits for locks are bounded. Opened on demand. */
export function createPool(connection: Connection, log: Logger, max = poolSize): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max,
    types,
    application_name: 'tattoo-studio-booking',
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    keepAlive: true,
  });
  // Without a listener, an idle connection that the server closes ends the process.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  return pool;
}

export function createDatabase(pool: pg.Pool): Kysely<Database> {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
