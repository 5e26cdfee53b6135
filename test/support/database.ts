import { randomUUID } from 'node:crypto';
import { sql, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Test } from 'tap';
import type { Context } from '../../src/context.js';
import type { Database } from '../../src/database/rows/schema.js';
import type { Scope } from './service-log.js';

/**
 * A migrated database of its own for a test, dropped at its end with whatever is still connected.
 * The connection string is of the session kind, so LISTEN and advisory locks work.
 */
export async function createTestDatabase(t: Scope): Promise<{ connectionString: string }> {
  return createDatabaseFrom(t, new URL(testDatabaseUrl()).pathname.slice(1));
}

/** The same without any table: for a first start. `options`: of `create database`. */
export async function createEmptyDatabase(
  t: Scope,
  options = '',
): Promise<{ connectionString: string }> {
  return createDatabaseFrom(t, `template0 ${options}`);
}

async function createDatabaseFrom(
  t: Scope,
  templateName: string,
): Promise<{ connectionString: string }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onMaintenanceDatabase(
    `create database ${name} template ${templateName} strategy file_copy`,
  );
  t.teardown(() => dropDatabase(name));
  return { connectionString: databaseUrl(name) };
}

/** Drops the database and ends its connections. */
export function dropDatabase(name: string): Promise<void> {
  return onMaintenanceDatabase(`drop database if exists ${name} with (force)`);
}

/** Opens some connections of a pool, so that it has them where no new ones may be made. */
export async function warmPool(pool: pg.Pool): Promise<void> {
  await Promise.all(Array.from({ length: 4 }, () => pool.query('select pg_sleep(0.02)')));
}

/** Whether new connections may be made to the database. Those that exist stay. */
export function allowConnections(
  connection: { connectionString?: string | undefined },
  allowed: boolean,
): Promise<void> {
  const name = new URL(connection.connectionString ?? '').pathname.slice(1);
  return onMaintenanceDatabase(`alter database ${name} allow_connections ${allowed}`);
}

async function onMaintenanceDatabase(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl('postgres') });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function databaseUrl(name: string): string {
  const url = new URL(testDatabaseUrl());
  url.pathname = `/${name}`;
  return url.href;
}

function testDatabaseUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (url === undefined) throw new Error('This test needs a database: run it with "npm test".');
  return url;
}

export interface Statement {
  text: string;
  values: unknown[];
}

/** From now on, calls `sent` with each statement that is sent through the pool. */
export function watchStatements(pool: pg.Pool, sent: (statement: Statement) => void): void {
  const seen = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => {
    if (seen.has(client)) return;
    seen.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const [first] = args;
      // A prepared statement is an object with both.
      const [text, values] =
        typeof first === 'object' ? [(first as Statement).text, (first as Statement).values] : args;
      if (typeof text === 'string') {
        sent({ text, values: Array.isArray(values) ? values : [] });
      }
      return query(...args);
    }) as typeof client.query;
  });
}

/**
 * How many sessions of the database wait for a lock. `pg_locks` also has the waits of the databases
 * of other test files.
 */
export async function lockWaits<Schema>(database: Kysely<Schema>): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database);
  return rows.length;
}

/** Resolves once as many sessions wait for a lock, or the work has ended without waiting. */
export async function untilLockWaits<Schema>(
  database: Kysely<Schema>,
  count: number,
  work?: Promise<unknown>,
): Promise<void> {
  let hasEnded = false;
  const end = () => void (hasEnded = true);
  work?.then(end, end);
  while (!hasEnded && (await lockWaits(database)) < count);
}

/** The sessions that `lockWaits` counts, also as seen by a transaction. */
export async function waitingSessions(client: pg.Client): Promise<{ pid: number }[]> {
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows;
}

/** A database whose connection is killed before that statement, or with `after` once it is answered. */
export function killedAt(t: Test, context: Context, kill: number, isAfter: boolean) {
  const pool = new pg.Pool({ ...context.connection, types: context.pool.options.types!, max: 1 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  let count = 0;
  const statements: string[] = [];
  const dialect = new PostgresDialect({
    pool: {
      end: () => pool.end(),
      async connect() {
        const client = await pool.connect();
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
        const terminate = () =>
          context.pool.query('select pg_terminate_backend($1, 5000)', [rows[0]!.pid]);
        return {
          release: () => client.release(true),
          query: async (text: string, values: unknown[]) => {
            count += 1;
            statements.push(text);
            if (count === kill && !isAfter) await terminate();
            const result = await client.query(text, values);
            if (count === kill && isAfter) await terminate();
            return result;
          },
        } as never;
      },
    },
  });
  const killed = new Kysely<Database>({ dialect });
  t.teardown(() => killed.destroy());
  return { database: killed, statements };
}
