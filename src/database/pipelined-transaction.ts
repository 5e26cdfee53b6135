import type { CompiledQuery } from 'kysely';
import type pg from 'pg';

/** A prepared statement; each connection caches it under its name. */
export interface NamedStatement {
  name: string;
  query: CompiledQuery;
}

/**
 * Runs statements as one transaction in one round trip: all are sent at once, so that locks are not
 * kept for the time of further round trips. Returns the rows of each statement; throws the first
 * error, after a rollback. Statements name their columns: a cached plan fails when the shape of its
 * result changes.
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
      // Rolls back where a statement has failed.
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
