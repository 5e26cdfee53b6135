import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../platform/log.js';
import { maintenanceConnection } from './address.js';
import type { Binaries } from './binaries.js';
import { AlreadyRunningError, codeOf, EmbeddedPostgresError } from './error.js';
import { keepSocketFolder, passwordPath } from './folders.js';
import type { Identity } from './identity.js';
import { type Purpose, takeLock } from './lock.js';
import {
  dropStaleLocks,
  type Endpoint,
  findPostmaster,
  launchPostmaster,
  type LaunchedServer,
  stopLaunched,
  stopOrphan,
} from './postmaster.js';
import { takeTurn, type Turn } from './turn.js';

/** All that is needed to run a server on a data folder. */
export interface Installation {
  dataDir: string;
  cluster: string;
  binaries: Binaries;
  identity: Identity;
  password: string;
  endpoint: Endpoint;
  purpose: Purpose;
  settings: Readonly<Record<string, string>>;
  log: Logger;
}

/** A running server of our own, and the session that makes us its only service. */
export interface Held {
  server: LaunchedServer;
  lock: pg.Client;
}

const startPatienceSeconds = 60;
const pollMs = 5;
const retryMs = 50;

/**
 * Brings a server of our own to run on the cluster, `ours` where that still runs, and takes the
 * lock on it. A server that a killed service has left behind is stopped rather than adopted: what
 * runs then is a child of ours, with this version's programs and settings, and the stop takes
 * hundredths of a second. Waits for a command that is at work on the cluster. Throws
 * `EmbeddedPostgresError`, and `AlreadyRunningError` where a service holds the lock.
 */
export async function holdServer(
  installation: Installation,
  signal: AbortSignal,
  ours?: LaunchedServer,
): Promise<Held> {
  const { cluster, binaries, identity, log } = installation;
  const giveUp = performance.now() + startPatienceSeconds * 1000;
  let server = ours;
  let turn: Turn | null = null;
  let problem = 'it is still starting';

  /** One step further: what is held now, or null where there is more to do. */
  async function look(): Promise<Held | null> {
    const running = await findPostmaster(cluster);
    if (running?.ready === true) {
      const lock = await lockServer(installation, running).catch((error: unknown) => {
        problem = explain(error, installation);
      });
      if (lock === undefined) {
        await delay(retryMs);
      } else if (running.pid === server?.pid) {
        return { server, lock };
      } else {
        log.warn({ pid: running.pid }, 'stopping the database server that a killed service left');
        await stopOrphan(running.pid, cluster, binaries, identity).finally(() => lock.end());
      }
    } else if (running === null && (server === undefined || server.hasExited())) {
      if (server !== undefined && server !== ours) await endureFailedLaunch(cluster, server);
      server = await launch(installation);
    }
    return null;
  }

  try {
    while (performance.now() < giveUp) {
      signal.throwIfAborted();
      turn ??= await takeTurn(cluster);
      const held = turn === null ? null : await look();
      if (held !== null) return held;
      // Whoever has launched a server keeps the turn until it holds the lock.
      if (turn !== null && server?.hasExited() !== false) {
        await turn.end();
        turn = null;
      }
      await delay(turn === null ? retryMs : pollMs);
    }
    throw new EmbeddedPostgresError(
      `PostgreSQL on ${cluster} was not ready within ${startPatienceSeconds} seconds: ${problem}.`,
    );
  } catch (error) {
    if (server !== undefined) await stopLaunched(server, cluster, binaries, identity);
    throw error;
  } finally {
    await turn?.end();
  }
}

async function launch(installation: Installation): Promise<LaunchedServer> {
  const { cluster, binaries, identity, endpoint, settings } = installation;
  await dropStaleLocks(cluster, endpoint);
  if (endpoint.host.startsWith('/')) {
    await keepSocketFolder(installation.dataDir, endpoint.host, identity);
  }
  return launchPostmaster(cluster, endpoint, binaries, identity, settings);
}

async function lockServer(installation: Installation, endpoint: Endpoint): Promise<pg.Client> {
  const hold = await takeLock(
    maintenanceConnection(endpoint, installation.password),
    installation.purpose,
  );
  if ('lock' in hold) return hold.lock;
  const { heldBy } = hold;
  if (heldBy === null) throw new Error('the lock on it was not to be had');
  if (heldBy.purpose === 'command') {
    throw new Error(`a command (process ${heldBy.pid}) is at work on it`);
  }
  throw new AlreadyRunningError(
    `The service is already running (process ${heldBy.pid}) on ${installation.dataDir}.`,
  );
}

/** What keeps us from the lock. Rethrows what no further attempt can mend. */
function explain(error: unknown, { dataDir, cluster }: Installation): string {
  if (error instanceof EmbeddedPostgresError) throw error;
  if (codeOf(error) === '28P01') {
    throw new EmbeddedPostgresError(
      `The password in ${passwordPath(dataDir)} is not that of the database in ${cluster}. Restore both from one backup.`,
    );
  }
  return (error as Error).message;
}

/**
 * A server that we launched has ended. Another start that was quicker, or processes of a killed
 * server that are just ending, are worth another attempt; anything else is told.
 */
async function endureFailedLaunch(cluster: string, server: LaunchedServer): Promise<void> {
  const output = server.output();
  if (server.wasStopped() || /lock file|shared memory block/.test(output)) {
    return delay(retryMs);
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL did not start on ${cluster} (its log is in ${cluster}/log): ${output}`,
  );
}
