import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createTestDatabase } from '../support/database.js';
import { temporaryFolder, until } from '../support/embedded.js';
import { freePort, spawnService, statusFor } from '../support/process.js';
import { bundledProgram } from '../support/project.js';
import { runClock } from '../support/run-clock.js';
import { lostDatabase, queueFailed } from '../support/service-log.js';
import { secretKey } from '../support/service.js';

void t.test('a service whose embedded database does not come back ends with 1', async (t) => {
  const dataDir = await temporaryFolder(t);
  const service = await spawnService(t, { DATA_DIR: dataDir });
  service.expectLog(/embedded PostgreSQL|embedded database/, lostDatabase, queueFailed);
  // A job may be running then.
  service.expectLog(/could not be|a job failed/);
  const cluster = join(dataDir, 'postgres');
  const [pid] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
  await rename(join(cluster, 'global'), join(cluster, 'global-is-gone'));
  process.kill(Number(pid), 'SIGKILL');
  t.equal(await service.ended, 1, 'so that a supervisor restarts it');
  t.match(service.output(), /the embedded database is lost/);
});

void t.test('what a process survives, and what ends it', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  const service = await spawnService(
    t,
    { DATABASE_URL: connectionString, SECRET_KEY: secretKey },
    { descriptors: 256, preload: './test/support/trouble.js' },
  );
  const ready = `${service.url}/readyz`;
  // While it has none to spare, its own connections to the database may be late, too.
  service.expectLog(/connections are refused|EMFILE|timeout exceeded when trying to connect/);
  service.expectLog(/thrown by a/);
  const goWrong = () => service.child.kill('SIGWINCH');
  const untilPrinted = (text: string) =>
    until(() => service.output().includes(text) || service.child.exitCode !== null);

  await t.test('an exception in a timer is logged', async (t) => {
    goWrong();
    await untilPrinted('thrown by a timer');
    t.equal(await statusFor(ready, '127.0.0.3'), 200);
  });

  await t.test('without descriptors it survives, and answers once some are free', async (t) => {
    goWrong();
    let refused = 0;
    await until(async () => {
      if ((await statusFor(`${service.url}/healthz`, '127.0.0.3')) === null) refused += 1;
      return service.output().includes('descriptors again') || service.child.exitCode !== null;
    });
    t.ok(refused > 0, `${refused} were refused`);
    t.equal(await statusFor(ready, '127.0.0.3'), 200, service.output());
  });

  await t.test('any other uncaught exception is logged and ends it with 1', async (t) => {
    goWrong();
    t.equal(await service.ended, 1);
    t.match(service.output(), /"level":"fatal".*thrown by a callback/);
  });
});

/** Serves many requests and stops, although its output fails. */
async function servesAndStops(t: Test, standardOutput: number | 'pipe'): Promise<void> {
  const { connectionString } = await createTestDatabase(t);
  const port = await freePort();
  const child = spawn(process.execPath, [bundledProgram('main')], {
    env: {
      ...runClock,
      PATH: process.env['PATH'],
      DATABASE_URL: connectionString,
      SECRET_KEY: secretKey,
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
  const read = () =>
    fetch(`http://127.0.0.1:${port}/api/public/studio`).then(
      async (answer) => (await answer.arrayBuffer()) && answer.status,
      () => null,
    );
  await until(async () => (await read()) !== null || child.exitCode !== null);
  // Far more lines than a pipe holds.
  for (let round = 0; round < 40; round += 1) {
    const statuses = await Promise.all(Array.from({ length: 20 }, read));
    if (statuses.some((status) => status !== 200)) t.fail(`answered with ${statuses.join()}`);
  }
  child.kill('SIGTERM');
  t.same(await exited, [0, null]);
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
