import closeWithGrace from 'close-with-grace';
import { type Config, loadConfig } from './config/config.js';
import { exitWithError, handleUncaught, isExpected } from './platform/exit-with-error.js';
import { createLogger } from './platform/log.js';
import { nodeSupport } from './platform/node-support.js';
import { startService } from './service.js';

const stopWithinMs = 9_500;

/**
 * Signals of a crash: by default they end the process. A listener would run in the event loop, which
 * is never reached: the instruction that fails is repeated instead.
 */
const crashSignals = ['SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGTRAP', 'SIGABRT'] as const;

/** The process: reads the environment, starts the service, and stops it on a signal. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const log = createLogger(config.logLevel);

  let hasFailed = false;
  const stopping = new AbortController();
  // Before the start, so that a signal during the start stops everything started so far.
  const closer = closeWithGrace(
    {
      delay: stopWithinMs,
      logger: false,
      skip: ['uncaughtException', 'unhandledRejection', ...crashSignals],
    },
    async ({ signal }) => {
      if (!hasFailed) log.info({ signal }, 'stopping');
      stopping.abort();
      await starting.then((service) => service.stop(), throwUnlessAborted);
      // A throw makes the exit status 1.
      if (hasFailed) throw new Error('failed');
    },
  );
  const fail = (error: unknown, sentence: string): void => {
    log.fatal({ err: error }, sentence);
    hasFailed = true;
    closer.close();
  };
  handleUncaught(log, (error) => fail(error, 'an uncaught failure ends the process'));
  const onDatabaseLost = (error: Error) => fail(error, 'the embedded database is lost');
  const starting = startService(config, log, onDatabaseLost, stopping.signal);

  function throwUnlessAborted(error: unknown): null {
    if (error === stopping.signal.reason) return null;
    closer.uninstall();
    if (!isExpected(error)) log.fatal({ err: error }, 'the start failed');
    throw error;
  }

  const service = await starting.catch(throwUnlessAborted);
  if (service === null) return;
  // The reader of standard output may be gone.
  process.stdout.on('error', () => undefined);
  if (service.app !== null) process.stdout.write(welcome(config));
  if (config.webhookAllowPrivateTargets) process.stdout.write(privateTargetsWarning);
  const support = nodeSupport(service.context.clock.now());
  if (support.isOver) process.stdout.write(`  ${support.sentence}\n\n`);
}

const privateTargetsWarning =
  '  Webhooks may go to http and private addresses (WEBHOOK_ALLOW_PRIVATE_TARGETS).\n\n';

function welcome({ publicBaseUrl: url }: Config): string {
  return `
  The studio is open.

    Dashboard      ${url}/
    Reference      ${url}/docs/
    MCP connector  ${url}/api/public/mcp
    Contract       ${url}/api/public/openapi.json

`;
}

main().catch(exitWithError);
