import { loadConfig } from './config/config.js';
import { startEmbeddedPostgres } from './database/embedded/server.js';
import { migrateToLatest } from './database/migrate.js';
import { exitWithError, isExpected } from './platform/exit-with-error.js';
import { createLogger } from './platform/log.js';

/** `npm run migrate`: brings the schema up to date without starting the service. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const log = createLogger('warn');
  const embedded =
    config.databaseUrl === null
      ? await startEmbeddedPostgres({
          dataDir: config.dataDir,
          log,
          purpose: 'command',
        })
      : null;
  try {
    const connectionString = config.databaseUrl ?? embedded?.connectionString;
    const ran = await migrateToLatest({ ...(connectionString && { connectionString }) });
    process.stdout.write(ran.length === 0 ? 'Nothing to do.\n' : `Done: ${ran.join(', ')}.\n`);
  } catch (error) {
    if (!isExpected(error)) log.fatal({ err: error }, 'the migration failed');
    throw error;
  } finally {
    await embedded?.stop();
  }
}

main().catch(exitWithError);
