/**
 * An embedded server in a process of its own, for tests that kill it: serves the data folder of the
 * first argument, prints `ready <connection string>`, and stops on SIGTERM.
 */
import { startEmbeddedPostgres } from '../../src/database/embedded/server.js';
import { createLogger } from '../../src/platform/log.js';
import { settings } from './embedded.js';

try {
  const dataDir = process.argv[2] ?? '';
  const server = await startEmbeddedPostgres({ dataDir, log: createLogger('silent'), settings });
  process.once('SIGTERM', () => void server.stop());
  // An uncaught error.
  process.once('SIGUSR2', () => {
    throw new Error('gone wrong');
  });
  console.log(`ready ${server.connectionString}`);
} catch (error) {
  console.log((error as Error).message);
  process.exitCode = 1;
}
