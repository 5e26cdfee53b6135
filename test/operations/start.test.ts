import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type pg from 'pg';
import t, { type Test } from 'tap';
import { createApp } from '../../src/app.js';
import { ConfigError, loadConfig } from '../../src/config/config.js';
import { closeContext, createContext } from '../../src/context.js';
import { withClient } from '../../src/database/client.js';
import { migrateTo } from '../../src/database/migrate.js';
import { baselineName, migrations as allMigrations } from '../../src/database/migrations/index.js';
import { StartError } from '../../src/errors.js';
import { createLogger } from '../../src/platform/log.js';
import { readPackage } from '../../src/platform/package-root.js';
import { createKeyring } from '../../src/secrets/keyring.js';
import { createEmptyDatabase, createTestDatabase, waitingSessions } from '../support/database.js';
import { until } from '../support/embedded.js';
import { freePort, launch } from '../support/process.js';
import { secretKey } from '../support/service.js';
import { startWholeService } from '../support/whole-service.js';

type Environment = Record<string, string>;

function startOn(t: Test, connectionString: string, environment: Environment = {}) {
  const own = { DATABASE_URL: connectionString, SECRET_KEY: secretKey };
  return startWholeService(t, { ...own, ...environment });
}

/** Resolves when a start has waited in vain for three seconds, and waits again. */
async function untilWaitedTwice(gate: pg.Client): Promise<void> {
  const isWaitedFor = async () => (await waitingSessions(gate)).length > 0;
  await until(isWaitedFor);
  await until(async () => !(await isWaitedFor()));
  await until(isWaitedFor);
}

/** Starts while another session has a lock, which it releases once the start has waited. */
async function startBehind(
  t: Test,
  connectionString: string,
  {
    lock,
    until: waited = untilWaitedTwice,
    environment,
  }: { lock: string; until?: (gate: pg.Client) => Promise<void>; environment?: Environment },
) {
  return withClient({ connectionString }, async (gate) => {
    await gate.query('begin');
    await gate.query(lock);
    const starting = startOn(t, connectionString, environment);
    await Promise.race([waited(gate), starting]);
    await gate.query('commit');
    return starting;
  });
}

// Each waits for its own database to give way to a lock, side by side.
void t.test('a start that waits for a lock', async (t) => {
  process.env['TEST_TRUE_TIMEOUTS'] = '1';
  t.teardown(() => delete process.env['TEST_TRUE_TIMEOUTS']);
  t.jobs = 3;
  const beside = { buffered: true };
  const first = t.test('reads nothing before its migrations have ended', beside, async (t) => {
    const { connectionString } = await createEmptyDatabase(t);
    await migrateTo({ connectionString }, baselineName);
    const migrators = new Set<number>();
    const { context, logLines } = await startBehind(t, connectionString, {
      lock: 'lock table bookings in access share mode',
      until: (gate) =>
        withClient({ connectionString }, async (request) => {
          // The limits of `database/pool.ts`: it waits behind the migration, and gets its turn in time.
          await request.query(`set lock_timeout = '3s'`);
          await until(async () => {
            for (const { pid } of await waitingSessions(gate)) migrators.add(pid);
            await request.query('select from bookings limit 1');
            return migrators.size === 3;
          });
        }),
    });
    t.equal((await context.board.read()).studio.timezone, 'America/Los_Angeles');
    const [migrating, waiting] = logLines.map((line) => JSON.parse(line) as { msg: string });
    const migrations = Object.keys(allMigrations).length - 1;
    t.match(migrating, { msg: 'migrating the database', migrations });
    t.match(waiting, { msg: /^waiting for another session .* to release a lock$/ });
  });
  const second = t.test('reads no studio before the seed has ended', beside, async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const lock = 'lock table studio in share mode';
    const { context } = await startBehind(t, connectionString, { lock });
    t.equal((await context.board.read()).studio.timezone, 'America/Los_Angeles');
  });
  const third = t.test('waits for that of mails, however late it comes', beside, async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const { background } = await startBehind(t, connectionString, {
      // The lock of `lockMails`.
      lock: `select pg_advisory_xact_lock(x'6d61696c'::integer)`,
      environment: {
        ROLE: 'worker',
        SMTP_URL: 'smtp://127.0.0.1:9',
        MAIL_FROM: 'studio@example.com',
      },
    });
    t.ok(background?.mailer);
  });
  await Promise.all([first, second, third]);
});

void t.test('neither services nor routes ask the database while they are built', async (t) => {
  const connection = { connectionString: (await createEmptyDatabase(t)).connectionString };
  const config = loadConfig({ DATABASE_URL: connection.connectionString, SECRET_KEY: secretKey });
  const log = createLogger('silent');
  const context = createContext({ config, log, connection, keyring: createKeyring(secretKey) });
  t.teardown(() => closeContext(context));
  const app = await createApp(context);
  t.teardown(() => app.close());
  t.equal(context.pool.totalCount, 0);
  t.throws(() => context.board.read(), /before the start has loaded it/);
});

void t.test('an invalid setting is an error that names it', async (t) => {
  for (const [name, value] of [
    ['PORT', 'eighty'],
    ['TRUST_PROXY', 'true'],
    ['DATABASE_URL', 'mysql://x'],
    ['SECRET_KEY', 'short'],
    ['HOLD_LIFETIME_SECONDS', '-1'],
    ['PUBLIC_BASE_URL', 'ftp://x'],
  ] as const) {
    const load = () => loadConfig({ [name]: value });
    t.throws(load, { constructor: ConfigError, message: new RegExp(`^${name} .+\\.$`, 'm') });
  }
});

const inUse = 'another program uses the port. End it, or set another port.';

async function occupyPort(t: Test): Promise<string> {
  const occupant = createServer().listen(0, '127.0.0.1');
  await once(occupant, 'listening');
  t.teardown(() => occupant.close());
  return String((occupant.address() as AddressInfo).port);
}

void t.test('a start that fails says why in one sentence', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  const [taken, free] = [await occupyPort(t), String(await freePort())];
  const { version } = readPackage();
  /** The reason why a start on the database fails. */
  const failure = async (environment: Environment) => {
    const started = await startOn(t, connectionString, { PORT: free, ...environment }).catch(
      (error: unknown) => error,
    );
    if (!(started instanceof StartError)) throw started;
    return started.message;
  };

  const listening = 'The service cannot listen on';
  for (const [environment, sentence] of [
    [{ PORT: taken }, `127.0.0.1:${taken} (HOST, PORT): ${inUse}`],
    [{ METRICS_PORT: taken }, `127.0.0.1:${taken} (METRICS_PORT): ${inUse}`],
    // Of the range for documentation.
    [{ HOST: '192.0.2.1' }, `192.0.2.1:${free} (HOST, PORT): this machine has no such address.`],
  ] as const) {
    t.equal(await failure(environment), `${listening} ${sentence}`);
  }

  const run = (query: string) => withClient({ connectionString }, (client) => client.query(query));
  await run(`insert into kysely_migration values ('9999-later', now()::text)`);
  t.equal(
    await failure({}),
    'A newer version of the service has migrated this database (9999-later): start that version, or a newer one.',
  );
  await run(`delete from kysely_migration where name = '9999-later'`);

  const other = { SECRET_KEY: 'another secret of more than enough length' };
  t.match(await failure(other), 'SECRET_KEY is not the key that this database was used with');
  const rotated = { ...other, SECRET_KEY_PREVIOUS: secretKey };
  await (await startOn(t, connectionString, rotated)).stop();

  await run(`select raise_minimum_version('${version}')`);
  await (await startOn(t, connectionString, rotated)).stop();
  await run(`select raise_minimum_version('99.1.0')`);
  t.equal(
    await failure(rotated),
    `This is version ${version}, and a newer one has changed the database: start version 99.1.0 or a newer one.`,
  );
});

void t.test('a start that fails prints that sentence alone, and exits with 1', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  const [unreachable, unknownRole] = [new URL(connectionString), new URL(connectionString)];
  unreachable.port = String(await freePort());
  unknownRole.username = 'nobody-knows';
  const taken = await occupyPort(t);
  for (const [environment, printed] of [
    [{ PORT: 'eighty' }, /^PORT .+\.\n$/],
    [
      { DATABASE_URL: unreachable.href },
      /^The database does not answer: connect E.+\. Start the server, .+\.\n$/,
    ],
    [
      { DATABASE_URL: unknownRole.href },
      /^The database refuses: .*nobody-knows.* Check user and password in DATABASE_URL, and PGPASSWORD\.\n$/,
    ],
    [
      { PORT: taken, REDIS_URL: `redis://127.0.0.1:${await freePort()}` },
      /^The service cannot listen on .+ another port\.\n$/,
    ],
  ] as const) {
    const settings = { DATABASE_URL: connectionString, SECRET_KEY: secretKey, LOG_LEVEL: 'silent' };
    const service = launch(t, { ...settings, ...environment });
    t.equal(await service.ended, 1);
    t.match(service.output(), printed);
  }
});
