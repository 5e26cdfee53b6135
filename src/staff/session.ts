import { ConfigError, loadConfig, type Config } from '../config/config.js';
import { adoptBefore } from '../database/adoption.js';
import { measureClock } from '../database/clock.js';
import { hasEmbeddedDatabase } from '../database/embedded/data-folder.js';
import { AlreadyRunningError } from '../database/embedded/error.js';
import { findServedDatabase, startEmbeddedPostgres } from '../database/embedded/server.js';
import { migrateToLatest, readSchemaState } from '../database/migrate.js';
import { createDatabase, createPool, type Connection } from '../database/pool.js';
import type { InstallationMode } from '../database/rows/results.js';
import type { StudioRow } from '../database/rows/studio.js';
import { seedExampleStudio } from '../database/seed.js';
import type { DatabaseServices } from '../database/services.js';
import { type ArtistRecord, readArtists } from '../domain/studio/artists.js';
import { createClock } from '../platform/clock.js';
import { createLogger, type Logger } from '../platform/log.js';
import { readMode, readPublicBaseUrl } from '../repositories/installation.js';
import { readStudio } from '../repositories/studio-settings.js';
import { type ArtistNames, artistNames } from './artist-names.js';
import { StaffError } from './failure.js';
import { localTime } from './text.js';

/**
 * `served`: the embedded server of a running service. `started`: the embedded server, started for
 * this command only. `remote`: the server of `DATABASE_URL`.
 */
type Access = 'served' | 'started' | 'remote';

export interface OpenDatabase {
  config: Config;
  log: Logger;
  connection: Connection;
  access: Access;
  close: () => Promise<void>;
}

/** The database of a command, for its questions. */
export function databaseName({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === null ? dataDir : 'DATABASE_URL';
}

export type StaffServices = Pick<DatabaseServices, 'config' | 'log' | 'database' | 'clock'>;

/** An open database, with the services that commands pass to domain functions. */
export interface Session extends OpenDatabase {
  services: StaffServices;
}

/** The studio as it is when a command begins. */
export interface StudioFacts {
  studio: StudioRow;
  mode: InstallationMode;
  /** In the studio's order; at least one. */
  artists: readonly ArtistRecord[];
  names: ArtistNames;
  /** An instant on the studio's clock, `2026-12-01 09:00`; empty if there is none. */
  at: (instant: Date | null) => string;
}

export async function readStudioFacts(services: StaffServices): Promise<StudioFacts> {
  const [studio, mode, artists] = await Promise.all([
    readStudio(services.database),
    readMode(services.database),
    readArtists(services),
  ]);
  const at = (instant: Date | null) => localTime(instant, studio.timezone);
  return { studio, mode, artists, names: artistNames(artists), at };
}

const poolSize = 3;

/**
 * Opens the database, with its schema at the newest version: a server that was started for this
 * command is migrated, any other must be migrated already.
 */
export async function openSession(
  environment: Record<string, string | undefined>,
): Promise<Session> {
  const opened = await openDatabase(environment, { mayCreate: false });
  let close = opened.close;
  try {
    await requireNewestSchema(opened);
    const session = withServices(opened);
    close = session.close;
    await measureClock(session.services.database, session.services.clock);
    await seedExampleStudio(session.services.database);
    return await withServedAddress(session, environment);
  } catch (error) {
    await close();
    throw error;
  }
}

/** The configuration with the address of the service's latest start, unless the environment has one. */
export async function withServedAddress(
  session: Session,
  environment: Record<string, string | undefined>,
): Promise<Session> {
  if (environment['PUBLIC_BASE_URL'] !== undefined) return session;
  const { services } = session;
  const publicBaseUrl = await readPublicBaseUrl(services.database);
  if (publicBaseUrl === null) return session;
  const config = { ...session.config, publicBaseUrl };
  return { ...session, config, services: { ...services, config } };
}

/** Adds services to an open database. Closing the session closes both. */
export function withServices(opened: OpenDatabase): Session {
  const { config, log, connection, close } = opened;
  const database = createDatabase(createPool(connection, log, { max: poolSize }));
  return {
    ...opened,
    services: { config, log, database, clock: createClock() },
    async close() {
      await database.destroy();
      await close();
    },
  };
}

/**
 * Connects to `DATABASE_URL`, to the embedded server of the running service, or to an embedded
 * server started for this command. Throws `ConfigError` if there is no database in `DATA_DIR`,
 * unless `mayCreate`.
 */
export async function openDatabase(
  environment: Record<string, string | undefined>,
  { mayCreate, mayHaveMoved = false }: { mayCreate: boolean; mayHaveMoved?: boolean },
): Promise<OpenDatabase> {
  const config = loadConfig(environment);
  const log = createLogger('silent');
  if (config.databaseUrl !== null) {
    const connection = { connectionString: config.databaseUrl };
    return { config, log, connection, access: 'remote', close: () => Promise.resolve() };
  }
  if (!mayCreate && !(await hasEmbeddedDatabase(config.dataDir))) {
    throw new ConfigError(
      `There is no database in ${config.dataDir}. Start the service there once, or set DATA_DIR to the right folder, or DATABASE_URL to a server.`,
    );
  }
  return { config, log, ...(await openEmbedded(config.dataDir, log, mayHaveMoved)) };
}

async function openEmbedded(
  dataDir: string,
  log: Logger,
  mayHaveMoved: boolean,
): Promise<Pick<OpenDatabase, 'connection' | 'access' | 'close'>> {
  for (;;) {
    const connectionString = await findServedDatabase(dataDir);
    if (connectionString !== null) {
      const connection = { connectionString };
      return { connection, access: 'served', close: () => Promise.resolve() };
    }
    try {
      const options = { dataDir, log, mayHaveMoved, purpose: 'command' } as const;
      const server = await startEmbeddedPostgres(options);
      const { connectionString } = server;
      return { connection: { connectionString }, access: 'started', close: () => server.stop() };
    } catch (error) {
      // The service has started since the lookup: connect to its server.
      if (!(error instanceof AlreadyRunningError)) throw error;
    }
  }
}

export async function requireNewestSchema({ connection, access }: OpenDatabase): Promise<void> {
  const { isToAdopt, missing, unknown } = await readSchemaState(connection);
  if (isToAdopt) throw new StaffError('refused', adoptBefore);
  if (unknown.length > 0) {
    throw new StaffError(
      'refused',
      `A newer version of the service has migrated this database (${unknown.join(', ')}): use that version's commands.`,
    );
  }
  if (missing.length === 0) return;
  if (access !== 'started') {
    throw new StaffError(
      'refused',
      `The database lacks ${missing.join(', ')}: restart the service in this version, or run "npm run migrate".`,
    );
  }
  await migrateToLatest(connection);
}
