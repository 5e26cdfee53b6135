import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/database/embedded/server.js';
import { migrateToLatest } from '../../src/database/migrate.js';
import { createLogger } from '../../src/platform/log.js';
import { findProgram } from './process.js';
import { packPackage } from './project.js';
import { startTestRedis } from './redis.js';
import { runPreload, startRunClock } from './run-clock.js';
import { hasTools } from './tools.js';

/** A file system in memory, on Linux. */
const memory = '/dev/shm';
const enoughMemoryBytes = 4 * 2 ** 30;
/** The files that use the package. */
export const packageTests = /^test\/(client\/|operations\/container\.)/;

/** Environment variables of the test processes. */
export type Environment = Record<string, string>;

/**
 * Starts the clock of a run and what its files share: a PostgreSQL cluster with a migrated template,
 * a Redis, and the package if one of them uses it. `stops` takes what stops it again, also where
 * this fails. Resolves with the addresses.
 */
export async function startServers(
  files: string[],
  stops: (() => Promise<unknown>)[],
): Promise<Environment> {
  if (await hasRoomInMemory()) process.env['TMPDIR'] = memory;
  const folder = await mkdtemp(join(tmpdir(), 'booking-test-'));
  // Since Node 22: each file starts a process or more, which load the same modules.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  stops.push(() => rm(folder, { recursive: true, force: true }));

  const clock = startRunClock(process.env['TEST_NOW']);
  Object.assign(process.env, clock);
  // This process has started without it, and makes the template of the databases.
  await import(runPreload);
  console.log(`The clock of this run starts at ${clock['TEST_NOW']}.`);

  const addresses: Environment = {};
  const chromium = findProgram('chromium', 'chromium-browser', 'google-chrome');
  if (chromium === null) {
    lack('chromium', 'REQUIRE_CHROMIUM');
  } else {
    addresses['TEST_CHROMIUM'] = chromium;
    // Without the windows that no test sees: half the processor time.
    addresses['TEST_CHROMIUM_SHELL'] = findProgram('chromium-headless-shell') ?? chromium;
  }
  const firefox = findProgram('firefox-esr', 'firefox');
  if (firefox === null) lack('firefox', 'REQUIRE_FIREFOX');
  else addresses['TEST_FIREFOX'] = firefox;

  if (!hasTools()) lack('scripts/tools', 'REQUIRE_TOOLS');

  const redis = await startTestRedis(folder);
  if (redis === null) {
    lack('redis-server', 'REQUIRE_REDIS');
  } else {
    stops.push(redis.stop);
    addresses['TEST_REDIS_URL'] = redis.url;
  }

  const cluster = await startTestCluster(join(folder, 'database'));
  stops.push(cluster.stop);
  addresses['TEST_DATABASE_URL'] = cluster.connectionString;

  // Builds, which no two tests may do at once.
  if (files.some((file) => packageTests.test(file))) {
    addresses['TEST_PACKAGE'] = await packPackage(folder);
  }
  return addresses;
}

/** Each test's database is hundreds of files: on a disk, a third of a second of processor time. */
async function hasRoomInMemory(): Promise<boolean> {
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= enoughMemoryBytes;
}

function lack(program: string, requirement: string): void {
  const sentence = `No ${program} on this machine`;
  if (process.env[requirement] === '1') throw new Error(`${sentence}, and ${requirement} is set.`);
  console.log(`${sentence}: tests that need it are skipped.`);
}

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
