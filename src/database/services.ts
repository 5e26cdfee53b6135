import type { Kysely } from 'kysely';
import type { PlatformServices } from '../platform/services.js';
import type { Keyring } from '../secrets/keyring.js';
import type { Listener } from './listener.js';
import type { Connector } from './pool.js';
import type { Database } from './rows/schema.js';

/** The services of the database, and those of the platform. */
export interface DatabaseServices extends PlatformServices {
  keyring: Keyring;
  database: Kysely<Database>;
  /** Takes a connection of the pool, for queries that Kysely cannot express. */
  connect: Connector;
  /** The one connection that runs LISTEN. */
  listener: Listener;
}
