import closeWithGrace from 'close-with-grace';
import { loadConfig } from './config.js';
import { createLogger } from './log.js';
import { startService } from './service.js';
import { failStart } from './start-failure.js';

const stopWithinMs = 9_500;

/** The process: reads the environment, starts the service, and stops it when it is told to. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const log = createLogger(config.logLevel);
  const service = await startService(config, log);

  closeWithGrace({ delay: stopWithinMs, logger: false }, async ({ signal, err }) => {
    if (err !== undefined) log.fatal({ err }, 'an uncaught failure ends the process');
    else log.info({ signal }, 'stopping');
    await service.stop();
  });

  if (service.app !== null) process.stdout.write(welcome(config.publicBaseUrl));
}

function welcome(url: string): string {
  return `
  The studio is open.

    Studio         ${url}/api/public/studio
    Open times     ${url}/api/public/availability
    Contract       ${url}/api/public/openapi.json

`;
}

main().catch(failStart);
