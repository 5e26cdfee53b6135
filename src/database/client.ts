import pg from 'pg';
import { applicationName, type Connection } from './pool.js';

const connectTimeoutMs = 5_000;

/** Runs `work` on a connection of its own, without timeouts for its statements. */
export async function withClient<Result>(
  connection: Connection,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    ...connection,
    application_name: applicationName(),
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // A lost connection rejects the query; without this handler, the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
