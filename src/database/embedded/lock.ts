import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

// An arbitrary number, the same in every version of the service.
const lockKey = 7_352_018_844;
const patienceMs = 1_000;

/** Who runs a server: the service, or a command that needs the database while there is none. */
export type Purpose = 'service' | 'command';

export interface Holder {
  purpose: Purpose;
  /** The number of its process. */
  pid: string;
}

/** The right to be the one who runs a cluster: a session that holds a lock, and so ends with us. */
export type Hold = { lock: pg.Client } | { heldBy: Holder | null };

/**
 * Takes the lock on the server that answers at that connection. The lock is the database's, so it
 * is released the moment its holder dies, however it dies. Waits a moment for a holder that is just
 * ending; then returns who it is.
 */
export async function takeLock(connection: pg.ClientConfig, purpose: Purpose): Promise<Hold> {
  const lock = new pg.Client({
    ...connection,
    application_name: `tattoo-studio-booking supervisor (${purpose}), process ${process.pid}`,
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

/** Who holds the lock, or null where nobody does. */
export async function findHolder(client: pg.Client): Promise<Holder | null> {
  const { rows } = await client.query<{ purpose: Purpose | null; pid: string | null }>(
    `select substring(application_name from 'supervisor \\((\\w+)\\)') as purpose,
        substring(application_name from 'process (\\d+)$') as pid
      from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted
        and (classid::bigint << 32) + objid::bigint = $1`,
    [lockKey],
  );
  const { purpose = null, pid = null } = rows[0] ?? {};
  return purpose === null || pid === null ? null : { purpose, pid };
}
