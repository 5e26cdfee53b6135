import closeWithGrace from 'close-with-grace';
import { type Config, loadConfig } from './config/config.js';
import { exitWithError, handleUncaught, isExpected } from './platform/exit-with-error.js';
import { createLogger } from './platform/log.js';
import { nodeSupport } from './platform/node-support.js';
import { type Service, startService } from './service.js';

const stopWithinMs = 9_500;

/**
 * Signals of a crash: by default they end the process. A listener would never be called, because the
 * failing instruction is repeated.
 */
const crashSignals = ['SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGTRAP', 'SIGABRT'] as const;

/** Reads the environment, starts the service, and stops it on a signal. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const log = createLogger(config.logLevel);

  let hasFailed = false;
  const stopping = new AbortController();
  // This precedes the start, so that a signal during the start stops everything started so far.
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
      if (!hasFailed) log.info('stopped');
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
  // The warnings may fail: a database that is lost right after the start does not end it.
  const warnings = await listWarnings(service, config).catch(() => []);
  if (stopping.signal.aborted) return;
  for (const warning of warnings) log.warn(warning);
  const notices = config.webhookAllowPrivateTargets ? [privateTargets] : [];
  for (const notice of notices) log.info(notice);
  if (service.app === null) return;
  // Machines read the log: each line is a record.
  if (!process.stdout.isTTY || process.env['NODE_ENV'] === 'production') {
    log.info(addressesOf(config), 'the studio is open');
    return;
  }
  // The reader of standard output may be gone.
  process.stdout.on('error', () => undefined);
  process.stdout.write(welcome(config, [...warnings, ...notices]));
}

async function listWarnings({ app, context }: Service, config: Config): Promise<string[]> {
  const { listHindrances } = await import('./components.js');
  const { isOver, sentence } = nodeSupport(context.clock.now());
  return [
    ...(app === null ? [] : listHindrances(config, (await context.board.read()).studio)),
    ...(isOver ? [sentence] : []),
  ];
}

const privateTargets =
  'Webhooks may go to http and private addresses (WEBHOOK_ALLOW_PRIVATE_TARGETS).';

function addressesOf({ publicBaseUrl: url }: Config) {
  return {
    book: `${url}/book`,
    dashboard: `${url}/`,
    console: `${url}/console`,
    reference: `${url}/docs/`,
    mcp_connector: `${url}/api/public/mcp`,
    contract: `${url}/api/public/openapi.json`,
  };
}

function welcome(config: Config, notices: readonly string[]): string {
  const { book, dashboard, console, reference, mcp_connector, contract } = addressesOf(config);
  return `
  The studio is open.

    Booking page   ${book}
    Dashboard      ${dashboard}
    Console        ${console}   To sign in: npm run studio -- console link
    Reference      ${reference}
    MCP connector  ${mcp_connector}
    Contract       ${contract}

${notices.map((notice) => `  ${notice}\n\n`).join('')}`;
}

main().catch(exitWithError);
