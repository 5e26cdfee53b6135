import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Test } from 'tap';
import type { Context } from '../../src/context.js';
import type { Database } from '../../src/database/schema.js';

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
