import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/database/embedded/server.js';
import { migrateToLatest } from '../../src/database/migrate.js';
import { createLogger } from '../../src/platform/log.js';

/** What a test cluster need not do: outlive a power cut. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  shared_buffers: '128MB',
};

/**
 * The PostgreSQL of a test run. Its database is migrated and is then the template from which each
 * test file gets a copy.
 */
export async function startTestCluster(dataDir: string): Promise<EmbeddedPostgres> {
  const cluster = await startEmbeddedPostgres({ dataDir, log: createLogger('error'), settings });
  try {
    await migrateToLatest({ connectionString: cluster.connectionString });
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
