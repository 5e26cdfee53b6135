import type { CompiledQuery } from 'kysely';
import type pg from 'pg';

/** A statement whose plan each connection keeps under this name. */
export interface NamedStatement {
  name: string;
  query: CompiledQuery;
}

/**
 * Runs statements as one transaction in one round trip: none waits for the answer to the one before,
 * so that what they lock is free again as soon as the database has worked them off. None may return
 * another shape after a migration: name the columns. Throws what the first that fails throws; then
 * nothing is done. Returns the rows of each.
 */
export async function runPipelinedTransaction(
  connect: () => Promise<pg.PoolClient>,
  statements: NamedStatement[],
): Promise<unknown[][]> {
  const client = await connect();
  try {
    const outcomes = await Promise.allSettled([
      client.query('begin'),
      ...statements.map(({ name, query: { sql: text, parameters } }) =>
        client.query<object>({ name, text, values: [...parameters] }),
      ),
      // Of a transaction in which something failed, this is a rollback.
      client.query('commit'),
    ]);
    const rows = outcomes.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value.rows;
    });
    return rows.slice(1, -1);
  } finally {
    client.release();
  }
}
