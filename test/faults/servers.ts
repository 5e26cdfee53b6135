import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '../support/embedded.js';
import { startTestRedis } from '../support/redis.js';
import { startTestCluster } from '../support/servers.js';
import type { Scope } from '../support/service-log.js';

export type Servers = Awaited<ReturnType<typeof startServers>>;

/** The PostgreSQL and the Redis of the suite, which faults may stop. */
export async function startServers(scope: Scope) {
  const folder = await temporaryFolder(scope);
  const dataDir = join(folder, 'database');
  let cluster = await startTestCluster(dataDir);
  scope.teardown(() => cluster.stop());
  process.env['TEST_DATABASE_URL'] = cluster.connectionString;
  let redis = await startTestRedis(folder);
  scope.teardown(() => redis?.stop());
  return {
    /** null where the machine has none. */
    redis,
    stopPostgres: () => cluster.stop(),
    async startPostgres() {
      cluster = await startTestCluster(dataDir);
    },
    /** Ends it without a word, and starts an empty one at the same address some time later. */
    async replaceRedis(afterMs: number) {
      if (redis === null) return;
      const port = Number(new URL(redis.url).port);
      await redis.stop();
      await delay(afterMs);
      redis = await startTestRedis(folder, port);
    },
  };
}
