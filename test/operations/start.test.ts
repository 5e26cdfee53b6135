import type pg from 'pg';
import t, { type Test } from 'tap';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { closeContext, createContext } from '../../src/context.js';
import { withClient } from '../../src/database/client.js';
import { migrateTo } from '../../src/database/migrate.js';
import { createKeyring } from '../../src/platform/keyring.js';
import { createLogger } from '../../src/platform/log.js';
import { createEmptyDatabase, createTestDatabase } from '../support/database.js';
import { until } from '../support/embedded.js';
import { waitingSessions } from '../support/lock-waits.js';
import { freePort } from '../support/process.js';
import { secretKey } from '../support/service.js';
import { startWholeService } from '../support/whole-service.js';

async function startOn(
  t: Test,
  connectionString: string,
  environment: Record<string, string> = {},
) {
  return startWholeService(t, {
    ...environment,
    DATABASE_URL: connectionString,
    SECRET_KEY: secretKey,
    PORT: String(await freePort()),
  });
}

/** Resolves when a start has waited in vain for three seconds, and waits again. */
async function untilWaitedTwice(gate: pg.Client): Promise<void> {
  const isWaitedFor = async () => (await waitingSessions(gate)).length > 0;
  await until(isWaitedFor);
  await until(async () => !(await isWaitedFor()));
  await until(isWaitedFor);
}

void t.test('a start reads nothing before its migrations have ended', async (t) => {
  const { connectionString } = await createEmptyDatabase(t);
  await migrateTo({ connectionString }, '0001-calendar-and-bookings');
  await withClient({ connectionString }, async (gate) => {
    await gate.query('begin');
    await gate.query('lock table bookings in access share mode');
    const starting = startOn(t, connectionString);
    // A read that fails is logged when it is repeated, after a second; each migrator waits a second.
    const migrators = new Set<number>();
    const haveWaited = async () => {
      for (const { pid } of await waitingSessions(gate)) migrators.add(pid);
      return migrators.size === 3;
    };
    await Promise.race([until(haveWaited), starting]);
    await gate.query('commit');
    const { context } = await starting;
    t.equal((await context.board.read()).studio.timezone, 'America/Los_Angeles');
  });
});

void t.test('a first start reads no studio before the seed has ended', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  await withClient({ connectionString }, async (gate) => {
    await gate.query('begin');
    await gate.query('lock table studio in share mode');
    const starting = startOn(t, connectionString);
    await Promise.race([untilWaitedTwice(gate), starting]);
    await gate.query('commit');
    const { context } = await starting;
    t.equal((await context.board.read()).studio.timezone, 'America/Los_Angeles');
  });
});

void t.test('a start with mail waits for the lock of mails, however late it comes', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  await withClient({ connectionString }, async (gate) => {
    await gate.query('begin');
    // The lock of `lockMails`.
    await gate.query(`select pg_advisory_xact_lock(x'6d61696c'::integer)`);
    const starting = startOn(t, connectionString, {
      ROLE: 'worker',
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'studio@example.com',
    });
    await Promise.race([untilWaitedTwice(gate), starting]);
    await gate.query('commit');
    const { background } = await starting;
    t.ok(background?.mailer);
  });
});

void t.test(
  'neither the services nor the routes ask the database while they are built',
  async (t) => {
    const connection = { connectionString: (await createEmptyDatabase(t)).connectionString };
    const config = loadConfig({ DATABASE_URL: connection.connectionString, SECRET_KEY: secretKey });
    const log = createLogger('silent');
    const context = createContext({ config, log, connection, keyring: createKeyring(secretKey) });
    t.teardown(() => closeContext(context));
    const app = await createApp(context);
    t.teardown(() => app.close());
    t.equal(context.pool.totalCount, 0);
    t.throws(() => context.board.read(), /before the start has loaded it/);
  },
);
