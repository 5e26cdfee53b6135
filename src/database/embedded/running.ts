import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { connectionString, maintenanceConnection } from './address.js';
import { isCluster } from './cluster.js';
import { codeOf } from './error.js';
import { passwordPath, readPassword } from './folders.js';
import { findHolder } from './lock.js';
import { findPostmaster } from './postmaster.js';

/** Whether a database of the service lies in the data folder, running or not. */
export async function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  return isCluster(join(dataDir, 'postgres'));
}

/**
 * The connection string of the database that a service is serving on the data folder at this
 * moment; null where none is. Starts, stops and changes nothing.
 */
export async function findServedDatabase(dataDir: string): Promise<string | null> {
  const folder = await realpath(dataDir).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (folder === null) return null;
  const running = await findPostmaster(join(folder, 'postgres'));
  const password = running?.ready === true ? await readPassword(passwordPath(folder)) : null;
  if (running === null || password === null) return null;
  const client = new pg.Client({
    ...maintenanceConnection(running, password),
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const holder = await findHolder(client);
    return holder?.purpose === 'service' ? connectionString(running, password) : null;
  } catch {
    // It is just starting or stopping: whoever starts it anew finds out.
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}
