import closeWithGrace from 'close-with-grace';
import { loadConfig, type Config } from './config.js';
import { createLogger } from './log.js';
import { startService } from './service.js';
import { failStart } from './start-failure.js';

const stopWithinMs = 9_500;

/** The process: reads the environment, starts the service, and stops it when it is told to. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const log = createLogger(config.logLevel);

  let loss: Error | null = null;
  // Before anything is started, so that a signal in the middle of a start leaves nothing behind.
  const closer = closeWithGrace({ delay: stopWithinMs, logger: false }, async ({ signal, err }) => {
    if (err !== undefined) log.fatal({ err }, 'an uncaught failure ends the process');
    else log.info({ signal }, 'stopping');
    await starting.then((service) => service.stop());
    // Whoever restarts what has failed must see that this has: a throw ends it with 1.
    if (loss !== null) throw loss;
  });
  const starting = startService(config, log, (error) => {
    log.fatal({ err: error }, 'the embedded database is lost');
    loss = error;
    closer.close();
  });

  const service = await starting.catch((error: unknown) => {
    closer.uninstall();
    throw error;
  });
  // Nobody may be there to read it.
  process.stdout.on('error', () => undefined);
  if (service.app !== null) process.stdout.write(welcome(config));
}

function welcome({ publicBaseUrl: url, webhookAllowPrivateTargets }: Config): string {
  const warning = webhookAllowPrivateTargets
    ? '  Webhooks may go to http and private addresses (WEBHOOK_ALLOW_PRIVATE_TARGETS).\n\n'
    : '';
  return `
  The studio is open.

    Dashboard      ${url}/
    Reference      ${url}/docs/
    MCP connector  ${url}/api/public/mcp
    Contract       ${url}/api/public/openapi.json

${warning}`;
}

main().catch(failStart);
