import { createTestDatabase } from '../support/database.js';
import type { Scope } from '../support/service-log.js';
import { install, type HostPlan, type Installation } from './installation.js';
import type { Load } from './load.js';
import type { Servers } from './servers.js';

export interface Fault {
  name: string;
  /** Why it cannot be tried on this machine; null where it can. */
  missing?: (servers: Servers) => Promise<string | null>;
  prepare: (scope: Scope, servers: Servers) => Promise<Scene>;
  /** Whether a mail may arrive again: it may have arrived, and no process could record it. */
  mayRepeatMails?: boolean;
}

export interface Scene {
  installation: Installation;
  /** Does it, and undoes what can be undone. Resolves with what was to be seen of it, if anything. */
  strike: (load: Load) => Promise<string | void>;
}

export interface Variation {
  hosts?: string[];
  queuesOnPostgres?: boolean;
  /** What differs in the environment of a host, or of `each`. */
  changes?: { [host: string]: (connectionString: string) => Promise<HostPlan['environment']> };
}

/** Two processes for requests and one for jobs, on one PostgreSQL and one Redis. */
export async function installSplit(
  scope: Scope,
  { redis }: Servers,
  { hosts = ['api 1', 'api 2', 'worker'], queuesOnPostgres, changes = {} }: Variation = {},
): Promise<Installation> {
  const { connectionString } = await createTestDatabase(scope);
  const plans = hosts.map(async (name) => ({
    name,
    environment: {
      DATABASE_URL: connectionString,
      ...(redis !== null && queuesOnPostgres !== true && { REDIS_URL: redis.url }),
      ...(await (changes[name] ?? changes['each'])?.(connectionString)),
    },
  }));
  return install(scope, await Promise.all(plans), async () => connectionString);
}
