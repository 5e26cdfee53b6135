import { once } from 'node:events';
import { readFile, realpath } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import type { Logger } from '../../platform/log.js';
import { locateBinaries } from './binaries.js';
import {
  clusterPath,
  createCluster,
  hasEmbeddedDatabase,
  openDataFolder,
  openPassword,
  passwordPath,
  readPassword,
  refuseFullDisk,
  refuseMoved,
  socketFolder,
  superuser,
} from './data-folder.js';
import { codeOf, EmbeddedPostgresError } from './error.js';
import { chooseIdentity, runAs } from './identity.js';
import { acquireLock, findLockHolder, type Purpose } from './lock.js';
import {
  type Endpoint,
  findPostmaster,
  type ServerSetup,
  startServer,
  stopServer,
} from './postmaster.js';

export interface EmbeddedPostgresOptions {
  /** The folder of the database, its password and its socket; created where it is missing. */
  dataDir: string;
  log: Logger;
  /** A start waits up to a minute for a command on the folder; a service there makes it fail. */
  purpose?: Purpose;
  /** Whether to start also where the data have moved: to finish the move. */
  mayHaveMoved?: boolean;
  /** PostgreSQL settings that differ from the defaults. With `fsync: 'off'`, a power cut loses data. */
  settings?: Readonly<Record<string, string>>;
  /** The folder of the npm package with the programs; resolved unless given. */
  packageRoot?: string;
  /** Called when the server is starting: work of the processor no longer delays it. */
  onLaunch?: () => void;
  /** Called once when the server has ended and cannot be started again. */
  onLost?: (error: Error) => void;
  /** Ends the start once the database is created, with the signal's reason. */
  signal?: AbortSignal;
}

export interface EmbeddedPostgres {
  connectionString: string;
  /** Stops the server, in five seconds or little more. Callers close their connections first. */
  stop(): Promise<void>;
}

const database = 'booking';
const restartsPerMinute = 3;
const connectTimeoutMs = 60_000;

/**
 * Starts the PostgreSQL that ships as an npm package on `dataDir`, and restarts it when it ends
 * before `stop()`. Throws `EmbeddedPostgresError` with a sentence for the operator, and
 * `AlreadyRunningError` where a service runs on that folder.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { dataDir: path, log, purpose = 'service', settings = {}, packageRoot } = options;
  const binaries = await locateBinaries(packageRoot);
  const dataDir = await openDataFolder(path);
  const lock = await acquireLock(dataDir, purpose, log);
  try {
    if (options.mayHaveMoved !== true) await refuseMoved(dataDir);
    await refuseFullDisk(dataDir);
    const cluster = clusterPath(dataDir);
    const clusterExists = await hasEmbeddedDatabase(dataDir);
    const password = await openPassword(dataDir, clusterExists);
    const identity = await chooseIdentity(dataDir, cluster, binaries);
    if (!clusterExists) {
      log.info({ cluster }, 'making a database');
      await createCluster(dataDir, binaries, identity, settings['fsync'] !== 'off');
      options.signal?.throwIfAborted();
    }
    const endpoint = await chooseEndpoint(dataDir, password);
    const setup = { cluster, binaries, identity, endpoint, settings, log };
    const stopSupervising = await supervise(setup, options).catch(async (error: unknown) => {
      throw (await otherMajor(setup, options.dataDir)) ?? error;
    });
    try {
      await ensureDatabase(endpoint, password, dataDir);
    } catch (error) {
      await stopSupervising();
      throw error;
    }
    let stopped: Promise<void> | undefined;
    return {
      connectionString: connectionString(endpoint, password),
      stop: () => (stopped ??= stopSupervising().finally(() => lock.release())),
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * The connection string of the database that a service is serving on the data folder; null where none is.
 */
export async function findServedDatabase(dataDir: string): Promise<string | null> {
  const folder = await realpath(dataDir).catch(() => dataDir);
  const password = await readPassword(folder);
  const running = await findPostmaster(clusterPath(folder));
  if (password === null || running?.isReady !== true) return null;
  const holder = await findLockHolder(folder);
  // A service that is a previous version, or in another container, has a lock not visible here.
  const isServed = holder === null ? !running.isOrphan : holder.purpose === 'service';
  return isServed ? connectionString(running, password) : null;
}

/** Starts a server, and restarts it when it ends by itself. Resolves with a function that stops it. */
async function supervise(
  setup: ServerSetup,
  { onLaunch, onLost }: EmbeddedPostgresOptions,
): Promise<() => Promise<void>> {
  const { cluster, log } = setup;
  const stopping = new AbortController();
  let restarts: number[] = [];
  let restarting = Promise.resolve();
  let server = await startServer(setup, stopping.signal, onLaunch);
  watch();

  function watch(): void {
    void server.ended.then(() => {
      if (!stopping.signal.aborted) restarting = restart();
    });
  }

  async function restart(): Promise<void> {
    try {
      log.error('the embedded PostgreSQL has ended; starting it again');
      const now = performance.now();
      restarts = [...restarts.filter((instant) => instant > now - 60_000), now];
      if (restarts.length > restartsPerMinute) {
        throw new EmbeddedPostgresError(`PostgreSQL does not stay up on ${cluster}.`);
      }
      server = await startServer(setup, stopping.signal);
      watch();
    } catch (error) {
      if (stopping.signal.aborted) return;
      log.fatal({ err: error }, 'the embedded PostgreSQL is lost');
      onLost?.(error as Error);
    }
  }

  // A process that ends without a stop, by an uncaught error for instance, ends its server too.
  const interrupt = () => void server.process.kill('SIGINT');
  process.once('exit', interrupt);
  return async () => {
    stopping.abort();
    await restarting;
    await stopServer(server, setup);
    process.off('exit', interrupt);
  };
}

/** Why a server cannot start on the files: another major version of PostgreSQL; null if it is its own. */
async function otherMajor(
  { cluster, binaries, identity }: ServerSetup,
  dataDir: string,
): Promise<EmbeddedPostgresError | null> {
  const files = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  const { output } = await runAs(identity, binaries.postgres, ['--version']);
  const [, own = ''] = /(\d+)\D/.exec(`${output}.`) ?? [];
  if (files === '' || own === '' || files === own) return null;
  return new EmbeddedPostgresError(
    `The database in ${dataDir} is of PostgreSQL ${files}, and this version of the service brings PostgreSQL ${own}. Start the version that you ran before, make a backup with it ("studio backup"), and restore that with this version into another DATA_DIR ("studio restore").`,
  );
}

/** A socket in a private folder; on Windows, where that is no protection, a free loopback port. */
async function chooseEndpoint(dataDir: string, password: string): Promise<Endpoint> {
  if (process.platform !== 'win32') {
    return { host: socketFolder(dataDir, password), port: 5432 };
  }
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return { host: '127.0.0.1', port };
}

function connectionString({ host, port }: Endpoint, password: string, name = database): string {
  return `postgres://${superuser}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
}

/** Creates the database where the cluster has none. Throws where the password is not the cluster's. */
async function ensureDatabase(endpoint: Endpoint, password: string, dataDir: string) {
  const client = new pg.Client({
    connectionString: connectionString(endpoint, password, 'postgres'),
    ssl: false,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      database,
    ]);
    if (rowCount === 0) await client.query(`create database ${database}`);
  } catch (error) {
    if (codeOf(error) !== '28P01') throw error;
    throw new EmbeddedPostgresError(
      `The password in ${passwordPath(dataDir)} is not that of the database in ${clusterPath(dataDir)}. Restore both from one backup.`,
    );
  } finally {
    await client.end();
  }
}
