import type { FastifyInstance } from 'fastify';
import type { Browser } from 'playwright-core';
import type { Test } from 'tap';
import { createApp } from '../../src/app.js';
import { startBackground, type Background } from '../../src/background.js';
import { loadConfig } from '../../src/config/config.js';
import { closeContext, createContext, openContext, type Context } from '../../src/context.js';
import { seedExampleStudio } from '../../src/database/seed.js';
import { adoptMode } from '../../src/domain/studio/mode.js';
import { createLogger } from '../../src/platform/log.js';
import { recordPublicBaseUrl } from '../../src/repositories/installation.js';
import { createKeyring } from '../../src/secrets/keyring.js';
import { shiftDatabaseClock } from './clock.js';
import { createTestDatabase } from './database.js';
import type { Mailing } from './mail-service.js';
import { freePort, unhurried } from './process.js';
import { createServiceLog } from './service-log.js';

export interface TestService {
  context: Context;
  app: FastifyInstance;
  /** The address of the service, which listens on a free port of loopback. */
  url: string;
  /** The log so far, one line per entry. */
  logLines: string[];
  /** Expects log lines at `warn` or above that match; every other one fails the test. */
  expectLog(...patterns: RegExp[]): void;
  /** Sets the clocks of the database and the board ahead of real time by `milliseconds`. */
  shiftClock(milliseconds: number): Promise<void>;
  /** Starts queues, workers and sweeper; stopped with the test at the latest. */
  startBackground(): Promise<Background>;
}

export type MailService = TestService & Mailing;

export interface BrowserService extends TestService {
  browser: Browser;
}

interface Options {
  /** Services of the context to replace. */
  overrides?: Partial<Context>;
  /** Whether its public address is where it listens, so that its links lead to it. */
  isReachable?: boolean;
  /** With a mail server, and with workers in this process. */
  mail?: boolean;
  /** With a browser, and reachable. `whole`: see `launchBrowser`. */
  browser?: boolean | 'whole';
}

export const mailFrom = 'Night Heron <booking@nightheron.example>';

/** The secret key of the services in these tests. */
export const secretKey = 'a secret that only the tests know, of enough length';

type Environment = Record<string, string>;

/** Caps on holds and bookings that no test reaches, for tests of the rate limits. */
export const uncapped = {
  MAX_PENDING_HOLDS: '100000',
  MAX_PENDING_HOLDS_PER_CALLER: '100000',
  MAX_LIVE_BOOKINGS_PER_PERSON: '100000',
  MAX_LIVE_BOOKINGS_PER_CALLER: '100000',
};

/** Limits and caps that no test reaches, for tests of something else. */
export const generous = {
  ...unhurried,
  ...uncapped,
  MAX_CONNECTIONS_PER_ADDRESS: '1000000',
  READS_PER_MINUTE_ANONYMOUS: '1000000',
  READS_PER_MINUTE_KEYED: '1000000',
  WRITES_PER_HOUR_ANONYMOUS: '1000000',
  WRITES_PER_HOUR_KEYED: '1000000',
};

/**
 * Starts the service in this process, without background jobs, and stops it when the test ends.
 * `environment` replaces the process's environment variables; without `DATABASE_URL` in it, a test
 * database is created. Resolves with null where a browser is wanted and missing.
 */
export function startService(
  t: Test,
  environment: Environment,
  options: Options & { browser: true | 'whole'; mail?: false },
): Promise<BrowserService | null>;
export function startService(
  t: Test,
  environment: Environment,
  options: Options & { mail: true; browser?: false },
): Promise<MailService>;
export function startService(
  t: Test,
  environment?: Environment,
  options?: Options & { browser?: false; mail?: false },
): Promise<TestService>;
export async function startService(
  t: Test,
  environment: Environment = generous,
  {
    overrides,
    browser: wanted = false,
    isReachable = wanted !== false,
    mail = false,
  }: Options = {},
): Promise<TestService | BrowserService | null> {
  // Loaded where they are wanted: they are large.
  const browser =
    wanted && (await import('./browser.js').then((it) => it.launchBrowser(t, wanted)));
  if (browser === null) return null;
  const port = isReachable ? await freePort() : 0;
  const smtp = mail && (await import('./smtp.js').then((it) => it.startSmtp(t, { tls: 'none' })));
  const connectionString =
    environment['DATABASE_URL'] ?? (await createTestDatabase(t)).connectionString;
  const serviceLog = createServiceLog();
  const log = createLogger('trace', serviceLog.destination);
  const config = loadConfig({
    PUBLIC_BASE_URL: 'http://studio.test',
    ...(isReachable && { PUBLIC_BASE_URL: `http://127.0.0.1:${port}`, PORT: String(port) }),
    DATABASE_URL: connectionString,
    SECRET_KEY: secretKey,
    ...unhurried,
    ...(smtp && { SMTP_URL: smtp.url, MAIL_FROM: mailFrom }),
    ...environment,
  });
  const keyring = createKeyring(secretKey);
  const connection = { connectionString };
  const context = createContext({ config, log, connection, keyring }, overrides);
  await seedExampleStudio(context.database);
  await adoptMode(context);
  await recordPublicBaseUrl(context.database, config.publicBaseUrl);
  const app = await createApp(context);
  await openContext(context);
  const address = await app.listen({
    host: '127.0.0.1',
    port: Number(environment['PORT'] ?? port),
    // Tests open many connections before the event loop accepts any. The kernel drops those beyond
    // the backlog, and their retransmission takes seconds.
    backlog: 2_048,
  });
  const backgrounds: Background[] = [];
  t.teardown(async () => {
    await app.close();
    for (const background of backgrounds) await background.stop();
    await closeContext(context);
    serviceLog.verify(t);
  });
  const service = {
    context,
    app,
    url: isReachable ? config.publicBaseUrl : address,
    logLines: serviceLog.lines,
    expectLog: serviceLog.expect,
    async shiftClock(milliseconds: number) {
      await shiftDatabaseClock(context.database, milliseconds);
      await context.board.refresh();
    },
    async startBackground() {
      const background = await startBackground(context);
      backgrounds.push(background);
      return {
        ...background,
        async stop() {
          backgrounds.splice(backgrounds.indexOf(background), 1);
          await background.stop();
        },
      };
    },
  };
  if (browser) return { ...service, browser };
  if (!smtp) return service;
  const { startMailing } = await import('./mail-service.js');
  return { ...service, ...(await startMailing(service, smtp)) };
}

/** Another process on the same database: its connections, board and clock are its own. */
export async function startNeighbour(
  t: Test,
  context: Context,
  overrides: Partial<Context> = {},
): Promise<Context> {
  const { config, log, connection, keyring } = context;
  const neighbour = createContext({ config, log, connection, keyring }, overrides);
  t.teardown(() => closeContext(neighbour));
  await openContext(neighbour);
  return neighbour;
}

/** The next process on the database, at the address of the former. */
export async function startAgain(t: Test, context: Context, port: number): Promise<Context> {
  const neighbour = await startNeighbour(t, context);
  const app = await createApp(neighbour);
  await app.listen({ host: '127.0.0.1', port });
  t.teardown(() => app.close());
  return neighbour;
}
