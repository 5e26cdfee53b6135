import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestCluster } from '../support/cluster.js';
import { startTestRedis } from '../support/redis.js';
import type { Scope } from '../support/scope.js';
import { temporaryFolder } from './installation.js';

/** The PostgreSQL and the Redis of the suite, which faults may stop. */
export interface Servers {
  /** null where the machine has none. */
  redis: Awaited<ReturnType<typeof startTestRedis>>;
  stopPostgres(): Promise<void>;
  startPostgres(): Promise<void>;
  /** Ends it without a word, and starts an empty one at the same address some time later. */
  replaceRedis(afterMs: number): Promise<void>;
}

export async function startServers(scope: Scope): Promise<Servers> {
  const folder = await temporaryFolder(scope);
  const dataDir = join(folder, 'database');
  let cluster = await startTestCluster(dataDir);
  scope.teardown(() => cluster.stop());
  process.env['TEST_DATABASE_URL'] = cluster.connectionString;
  let redis = await startTestRedis(folder);
  scope.teardown(() => redis?.stop());
  return {
    redis,
    stopPostgres: () => cluster.stop(),
    async startPostgres() {
      cluster = await startTestCluster(dataDir);
    },
    async replaceRedis(afterMs) {
      if (redis === null) return;
      const port = Number(new URL(redis.url).port);
      await redis.stop();
      await delay(afterMs);
      redis = await startTestRedis(folder, port);
    },
  };
}
