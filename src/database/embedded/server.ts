import { createServer } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from '../../platform/log.js';
import { connectionString, database } from './address.js';
import { locateBinaries } from './binaries.js';
import { dropDrafts, isCluster, makeCluster } from './cluster.js';
import { EmbeddedPostgresError } from './error.js';
import { dropSocketFolder, keepPassword, openDataFolder, prepareSocketFolder } from './folders.js';
import { holdServer, type Installation } from './hold.js';
import { chooseIdentity, type Identity } from './identity.js';
import type { Purpose } from './lock.js';
import { type Endpoint, findPostmaster, stopLaunched } from './postmaster.js';
import { inTurn, takeTurn } from './turn.js';

export interface EmbeddedPostgresOptions {
  /** Holds the database, its password and its socket; made where it is missing. */
  dataDir: string;
  log: Logger;
  /**
   * A service that finds another one on the folder gives up; whoever finds a command there waits
   * for its end, up to a minute.
   */
  purpose?: Purpose;
  /** PostgreSQL settings that differ from ours. With `fsync: 'off'`, a power cut loses the data. */
  settings?: Readonly<Record<string, string>>;
  /** Where the npm package with the programs lies; found by itself unless given. */
  packageRoot?: string;
}

export interface EmbeddedPostgres {
  connectionString: string;
  /** Calls back when the server is lost and could not be started again. */
  onExit(listener: (error: Error) => void): void;
  /** Stops the server, in five seconds or little more. Callers close their connections first. */
  stop(): Promise<void>;
}

const restartsPerMinute = 3;

/**
 * Starts the PostgreSQL that ships as an npm package on `dataDir`, and keeps it running until
 * `stop()`: where it dies, it is started again. Throws `EmbeddedPostgresError`, whose message is a
 * sentence for whoever starts the service; also where another process already serves that folder.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const installation = await prepare(options);
  const { cluster, binaries, identity, log } = installation;
  const stopping = new AbortController();
  const exitListeners: ((error: Error) => void)[] = [];
  const restarts: number[] = [];
  let recovery = Promise.resolve();
  let held = await holdServer(installation, stopping.signal);

  // An end without `stop()`, by an uncaught error for instance, takes the server along.
  const stopWithProcess = () => {
    if (!held.server.hasExited()) held.server.signal('SIGINT');
  };
  process.once('exit', stopWithProcess);

  async function stop(): Promise<void> {
    stopping.abort();
    await recovery;
    await stopLaunched(held.server, cluster, binaries, identity);
    await held.lock.end();
    await leaveSocketFolder(installation);
    process.off('exit', stopWithProcess);
  }

  // The lock's session ends with the server, and with every restart of its processes.
  function watch(): void {
    held.lock.once('end', () => {
      if (!stopping.signal.aborted) recovery = recover();
    });
  }

  async function recover(): Promise<void> {
    try {
      log.error('the session with the embedded PostgreSQL was lost; making sure that it runs');
      if (
        restarts.filter((instant) => instant > performance.now() - 60_000).length >=
        restartsPerMinute
      ) {
        throw new EmbeddedPostgresError(`PostgreSQL does not stay up on ${cluster}.`);
      }
      const { server } = held;
      held = await holdServer(installation, stopping.signal, server);
      if (held.server !== server) restarts.push(performance.now());
      watch();
    } catch (error) {
      if (stopping.signal.aborted) return;
      log.fatal({ err: error }, 'the embedded PostgreSQL is lost');
      for (const listener of exitListeners) listener(error as Error);
    }
  }

  watch();
  try {
    await dropDrafts(cluster);
    await ensureDatabase(held.lock);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    connectionString: connectionString(installation.endpoint, installation.password),
    onExit: (listener) => void exitListeners.push(listener),
    stop,
  };
}

/** Removes the folder of the socket, unless another start is at it or has a server in it already. */
async function leaveSocketFolder({ dataDir, cluster }: Installation): Promise<void> {
  const turn = await takeTurn(cluster);
  if (turn === null) return;
  if ((await findPostmaster(cluster)) === null) await dropSocketFolder(dataDir);
  await turn.end();
}

async function prepare(options: EmbeddedPostgresOptions): Promise<Installation> {
  const { log, purpose = 'service', settings = {} } = options;
  const binaries = await locateBinaries(options.packageRoot);
  const dataDir = await openDataFolder(options.dataDir);
  const cluster = join(dataDir, 'postgres');
  const clusterExists = await isCluster(cluster);
  const password = await keepPassword(dataDir, clusterExists);
  const identity = await chooseIdentity(dataDir, cluster, binaries);
  if (!clusterExists) {
    // Of starts at one moment, one makes it; the first that runs it removes what others have left.
    await inTurn(cluster, async () => {
      if (await isCluster(cluster)) return;
      log.info({ cluster }, 'making a database');
      await makeCluster(cluster, binaries, identity, settings['fsync'] !== 'off');
    });
  }
  const endpoint = await chooseEndpoint(dataDir, identity);
  return { dataDir, cluster, binaries, identity, password, endpoint, purpose, settings, log };
}

/** A socket in a private folder; on Windows, where that is no protection, a loopback port. */
async function chooseEndpoint(dataDir: string, identity: Identity): Promise<Endpoint> {
  if (process.platform !== 'win32') {
    return { host: await prepareSocketFolder(dataDir, identity), port: 5432 };
  }
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return { host: '127.0.0.1', port };
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [
    database,
  ]);
  if (rowCount === 0) await client.query(`create database ${database}`);
}
