import pg from 'pg';
import type { Connection } from './pool.js';

const connectTimeoutMs = 5_000;

/** Works on one connection of its own, without bounds of time: as long as there is work. */
export async function withClient<Result>(
  connection: Connection,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    ...connection,
    application_name: 'tattoo-studio-booking',
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // Whoever uses the connection learns of its loss from the query; without a listener it ends the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
