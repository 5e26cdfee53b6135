import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { constants } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { createReadiness } from '../../src/platform/readiness.js';
import { createTestDatabase } from '../support/database.js';
import { isServing as isRunning, serverPid, temporaryFolder, until } from '../support/embedded.js';
import { postHold } from '../support/http-requests.js';
import { openLiveStream } from '../support/live-stream.js';
import {
  findProgram,
  freePort,
  launch,
  spawnService,
  type ServiceProcess,
} from '../support/process.js';
import { bundledProgram } from '../support/project.js';
import { startDatabaseProxy } from '../support/proxy.js';
import { startReceiver } from '../support/receiver.js';
import { lostDatabase, queueFailed } from '../support/service-log.js';
import { generous, secretKey } from '../support/service.js';

function post({ url }: ServiceProcess, path: string, body: string) {
  const posting = request(`${url}/api/public/${path}`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', 'content-length': body.length },
  });
  return { posting, answered: once(posting, 'response') as Promise<[IncomingMessage]> };
}

// A stop that takes ten seconds exits with 1.
void t.test(
  'SIGTERM with streams, waits, requests, jobs and traces under way: each ends well, and exit 0',
  async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const hang = { kind: 'hang' } as const;
    const [receiver, collector] = [await startReceiver(hang), await startReceiver(hang)];
    t.teardown(() => Promise.all([receiver.close(), collector.close()]));
    const service = await spawnService(t, {
      ...generous,
      DATABASE_URL: connectionString,
      SECRET_KEY: secretKey,
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
      OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
    });
    service.expectLog(/traces could not be exported/);
    const subscribing = JSON.stringify({ url: receiver.origin });
    const subscription = post(service, 'webhooks', subscribing);
    subscription.posting.end(subscribing);
    t.equal((await subscription.answered)[0].statusCode, 201);
    const { id } = await postHold(service.url);
    await receiver.request(1);
    const streams = await Promise.all([1, 2, 3].map(() => openLiveStream(t, service.url)));
    await Promise.all(streams.map((stream) => stream.next(({ event }) => event === 'pulse')));
    const waiting = fetch(`${service.url}/api/public/bookings/${id}`, {
      headers: { prefer: 'wait=60' },
    });
    const body = JSON.stringify({ date: 'none' });
    const { posting, answered } = post(service, 'holds', body);
    posting.write(body.slice(0, 4));
    // The wait and the half request are there once a later request was answered.
    await (await fetch(`${service.url}/healthz`)).text();

    const ended = service.end('SIGTERM');
    while (!service.output().includes('stopping')) await once(service.child.stdout, 'data');
    posting.end(body.slice(4));
    t.equal((await answered)[0].statusCode, 400, 'the request was finished');
    const answer = await waiting;
    t.equal(answer.status, 200, 'the wait ended with the booking as it is');
    t.match(await answer.json(), { data: { id, status: 'pending' } });
    await Promise.all(streams.map(({ closed }) => closed));
    const retries = streams.map((stream) => stream.retries.at(-1) ?? 0);
    t.ok(Math.min(...retries) > 0, `viewers return at ${retries.join(', ')} ms`);
    t.ok(new Set(retries).size > 1, 'not all at once');
    t.equal(await ended, 0);
    t.match(service.output(), /"stopping"[^]*"stopped"\}\n$/);
    t.ok(collector.requests.length > 0, 'the collector was asked');
  },
);

void t.test('SIGTERM while neither PostgreSQL nor Redis responds exits 0', async (t) => {
  const { connectionString: direct } = await createTestDatabase(t);
  const { proxy, connectionString } = await startDatabaseProxy(t, direct);
  const service = await spawnService(t, {
    ...generous,
    DATABASE_URL: connectionString,
    // A port without a listener.
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
    SECRET_KEY: secretKey,
  });
  service.expectLog(lostDatabase, queueFailed, /"service_unavailable"|again/);
  service.expectLog(/connection to Redis failed|Redis does not answer/);
  service.expectLog(/watched calendars have no schedule yet/);
  await postHold(service.url);
  proxy.swallow();
  const reading = fetch(`${service.url}/api/public/bookings/${randomUUID()}`).then(
    ({ status }) => String(status),
    () => 'cut',
  );
  t.equal(await service.end('SIGTERM'), 0);
  t.match(await reading, /^(503|cut)$/);
});

void t.test('SIGTERM during startup rolls it back, and leaves no PostgreSQL running', async (t) => {
  const dataDir = t.testdir();
  const service = launch(t, { DATA_DIR: dataDir, PORT: String(await freePort()) });
  while (!service.output().includes('making a database')) {
    await once(service.child.stdout, 'data');
  }
  t.equal(await service.end('SIGTERM'), 0);
  t.notOk(existsSync(join(dataDir, 'postgres', 'postmaster.pid')));
  t.notMatch(service.output(), 'Server listening', 'the start is not completed first');
});

// Of util-linux, which every Debian has.
const script = findProgram('script') ?? '';
const withTerminals = {
  skip: (process.platform !== 'linux' || script === '') && 'no script(1) to open a terminal',
};

void t.test(
  'a terminal that is closed under npm start ends the service and its PostgreSQL',
  withTerminals,
  async (t) => {
    const dataDir = await temporaryFolder(t);
    const start = `"${process.execPath}" "${bundledProgram('main')}"`;
    const cwd = t.testdir({ 'package.json': JSON.stringify({ scripts: { start } }) });
    const port = await freePort();
    const terminal = launch(
      t,
      { DATA_DIR: dataDir, PORT: String(port), npm_config_update_notifier: 'false' },
      ['--quiet', '--command', 'npm start', '/dev/null'],
      { node: script, cwd },
    );
    await until(() => terminal.output().includes('Server listening'));
    await until(() =>
      /The studio is open\.[^]*\/book[^]*studio -- console link/.test(terminal.output()),
    );
    const database = await serverPid(dataDir);
    const [, , , parent] = (await readFile(`/proc/${database}/stat`, 'utf8')).split(' ');
    const service = Number(parent);
    t.teardown(async () => {
      for (const pid of [service, database]) {
        if (await isRunning(pid)) process.kill(pid, 'SIGKILL');
      }
    });
    t.ok((await isRunning(service)) && (await isRunning(database)), 'both run');
    await terminal.end('SIGKILL');
    await until(async () => !(await isRunning(service)) && !(await isRunning(database)));
  },
);

void t.test('a crash ends the service by its signal, and the next start works', async (t) => {
  const dataDir = await temporaryFolder(t);
  // Its folder gets the core file, where the machine writes one.
  const crashing = await spawnService(t, { DATA_DIR: dataDir }, { cwd: dataDir });
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${crashing.child.pid}/status`, 'utf8');
    const caught = BigInt(`0x${/^SigCgt:\s*(\w+)$/m.exec(status)?.[1]}`);
    const isCaught = (signal: number) => ((caught >> BigInt(signal - 1)) & 1n) === 1n;
    t.ok(isCaught(constants.signals.SIGTERM));
    // V8 itself handles SIGSEGV, for WebAssembly, and passes it on.
    for (const name of ['SIGBUS', 'SIGFPE', 'SIGILL', 'SIGTRAP', 'SIGABRT'] as const) {
      t.notOk(isCaught(constants.signals[name]), `nothing handles ${name}`);
    }
  }
  t.equal(await crashing.end('SIGSEGV'), null);
  t.equal(crashing.child.signalCode, 'SIGSEGV');
  const next = await spawnService(t, { DATA_DIR: dataDir });
  next.expectLog(/a killed service left/);
  t.equal(await next.end('SIGTERM'), 0);
});

void t.test('a stop waits until a regular readiness probe has failed three times', async (t) => {
  const readiness = createReadiness(() => Promise.resolve());
  readiness.recordProbe();
  t.ok(readiness.isOpen());
  let isWithdrawn = false;
  const withdrawal = readiness.withdraw().then(() => (isWithdrawn = true));
  t.notOk(readiness.isOpen(), 'no, from the first moment on');
  readiness.recordProbe();
  readiness.recordProbe();
  t.notOk(isWithdrawn);
  readiness.recordProbe();
  await withdrawal;
});

void t.test('a stop does not wait where nothing has probed for half a minute', async (t) => {
  for (const wasProbed of [true, false]) {
    let now = 0;
    const readiness = createReadiness(
      async () => undefined,
      () => now,
    );
    if (wasProbed) readiness.recordProbe();
    now = 30_001;
    let isWithdrawn = false;
    void readiness.withdraw().then(() => (isWithdrawn = true));
    // Before any timer.
    await Promise.resolve();
    await Promise.resolve();
    t.ok(isWithdrawn);
    t.notOk(readiness.isOpen());
  }
});
