import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createTestDatabase } from '../support/database.js';
import { temporaryFolder } from '../support/embedded.js';
import { freePort, launch, spawnService } from '../support/process.js';
import { bundledProgram } from '../support/project.js';
import { runClock } from '../support/run-clock.js';
import { lostDatabase, queueFailed } from '../support/service-log.js';

const secret = { SECRET_KEY: 'a secret of these tests, of enough length' };

void t.test('a service whose embedded database does not come back ends with 1', async (t) => {
  const dataDir = await temporaryFolder(t);
  const service = await spawnService(t, { DATA_DIR: dataDir });
  service.expectLog(
    /embedded PostgreSQL|embedded database/,
    lostDatabase,
    /could not be/,
    queueFailed,
  );
  const exited = once(service.child, 'exit');
  const cluster = join(dataDir, 'postgres');
  const [pid] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
  await rename(join(cluster, 'global'), join(cluster, 'global-is-gone'));
  process.kill(Number(pid), 'SIGKILL');
  const [code] = (await exited) as [number | null];
  t.equal(code, 1, 'so that a supervisor restarts it');
  t.match(service.output(), /the embedded database is lost/);
});

void t.test(
  'a start on an address in use ends with 1 and one sentence, also while Redis is down',
  async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    t.teardown(() => occupant.close());
    const taken = String((occupant.address() as AddressInfo).port);
    const free = String(await freePort());
    const inUse = 'another program uses the port. End it, or set another port.';
    const cases = [
      [{ PORT: taken }, `127.0.0.1:${taken} (HOST, PORT): ${inUse}`],
      [{ PORT: free, METRICS_PORT: taken }, `127.0.0.1:${taken} (METRICS_PORT): ${inUse}`],
      [
        // Of the range for documentation.
        { PORT: free, HOST: '192.0.2.1' },
        `192.0.2.1:${free} (HOST, PORT): this machine has no such address.`,
      ],
    ] as const;
    for (const [environment, sentence] of cases) {
      const service = launch(t, {
        ...secret,
        DATABASE_URL: connectionString,
        REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
        LOG_LEVEL: 'silent',
        ...environment,
      });
      t.equal(await service.ended, 1);
      t.equal(service.output(), `The service cannot listen on ${sentence}\n`);
    }
  },
);

void t.test('a start without its database ends with 1 and one sentence', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  const unreachable = new URL(connectionString);
  unreachable.port = String(await freePort());
  const unknownRole = new URL(connectionString);
  unknownRole.username = 'nobody-knows';
  const cases = [
    [unreachable, /^The database does not answer: connect (ENOENT|ECONNREFUSED) .+\.\n$/],
    [unknownRole, /^The program failed: .*nobody-knows.*\.\n$/],
  ] as const;
  for (const [{ href }, sentence] of cases) {
    const service = launch(t, { ...secret, DATABASE_URL: href, LOG_LEVEL: 'silent' });
    t.equal(await service.ended, 1);
    t.match(service.output(), sentence);
  }
});

/** Serves many requests and stops, although its output fails. */
async function servesAndStops(t: Test, standardOutput: number | 'pipe'): Promise<void> {
  const { connectionString } = await createTestDatabase(t);
  const port = await freePort();
  const child = spawn(process.execPath, [bundledProgram('main')], {
    env: {
      ...secret,
      ...runClock,
      PATH: process.env['PATH'],
      DATABASE_URL: connectionString,
      PORT: String(port),
      READS_PER_MINUTE_ANONYMOUS: '1000000',
      MAX_EVENT_LOOP_DELAY_MS: '0',
    },
    stdio: ['ignore', standardOutput, 'ignore'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  t.teardown(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const url = `http://127.0.0.1:${port}/api/public/studio`;
  let answer: Response | null = null;
  while (answer === null && child.exitCode === null) answer = await fetch(url).catch(() => null);
  // Far more lines than a pipe holds.
  for (let round = 0; round < 1_000; round += 1) {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(20_000) });
    if (status !== 200) t.fail(`answered with ${status}`);
  }
  child.kill('SIGTERM');
  const [code] = await exited;
  t.equal(code, 0);
}

void t.test(
  'a log on a full disk prevents neither serving nor stopping',
  { skip: !existsSync('/dev/full') && 'no disk that is always full' },
  async (t) => {
    const full = await open('/dev/full', 'w');
    t.teardown(() => full.close());
    await servesAndStops(t, full.fd);
  },
);

void t.test('a log that nobody reads prevents neither serving nor stopping', (t) =>
  servesAndStops(t, 'pipe'),
);
