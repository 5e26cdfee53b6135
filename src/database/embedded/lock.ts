import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

// An arbitrary number, the same in every version of the service.
const lockKey = 7_352_018_844;
const patienceMs = 1_000;
const namePrefix = 'tattoo-studio-booking supervisor, process ';

/** The right to be the one service on a cluster: a session that holds a lock, and so ends with us. */
export type Hold = { lock: pg.Client } | { heldBy: string };

/**
 * Takes the lock on the server that answers at that connection. The lock is the database's, so it
 * is released the moment its holder dies, however it dies. Waits a moment for a holder that is just
 * ending; then returns the number of its process.
 */
export async function takeLock(connection: pg.ClientConfig): Promise<Hold> {
  const lock = new pg.Client({
    ...connection,
    application_name: `${namePrefix}${process.pid}`,
    connectionTimeoutMillis: 5_000,
  });
  lock.on('error', () => undefined);
  try {
    await lock.connect();
    const giveUp = performance.now() + patienceMs;
    while (!(await tryLock(lock))) {
      if (performance.now() > giveUp) {
        const heldBy = await findHolder(lock);
        await lock.end();
        return { heldBy };
      }
      await delay(20);
    }
    return { lock };
  } catch (error) {
    await lock.end();
    throw error;
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock($1) as taken',
    [lockKey],
  );
  return rows[0]?.taken === true;
}

async function findHolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and application_name like $1`,
    [`${namePrefix}%`],
  );
  return rows[0]?.name.slice(namePrefix.length) ?? 'unknown';
}
