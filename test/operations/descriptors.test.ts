import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createTestDatabase } from '../support/database.js';
import { temporaryFolder } from '../support/embedded.js';
import { spawnService, type ServiceProcess } from '../support/process.js';

const descriptors = 512;
const connectionCount = 600;

/**
 * Starts the service with `descriptors` as its limit of file descriptors: on the embedded database
 * if `DATA_DIR` is set, otherwise on a test database.
 */
async function start(t: Test, environment: Record<string, string>): Promise<ServiceProcess> {
  const database = environment['DATA_DIR'] === undefined && {
    DATABASE_URL: (await createTestDatabase(t)).connectionString,
    SECRET_KEY: 'a secret that only the tests know, of enough length',
  };
  const service = await spawnService(
    t,
    { ...database, ...environment },
    { descriptors, preload: './test/support/trouble.js' },
  );
  // While it has none to spare, its own connections to the database may be late, too.
  service.expectLog(/connections are refused|EMFILE|timeout exceeded when trying to connect/);
  return service;
}

/** Opens idle connections from `address`. They stay half-open when the server closes its side. */
async function openSilent(t: Test, url: string, address: string, count: number) {
  const sockets: Socket[] = [];
  t.teardown(() => sockets.forEach((socket) => socket.destroy()));
  for (let index = 0; index < count; index += 1) {
    const socket = connect({
      port: Number(new URL(url).port),
      host: '127.0.0.1',
      localAddress: address,
      allowHalfOpen: true,
    });
    socket.on('error', () => undefined).resume();
    sockets.push(socket);
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  }
  return sockets;
}

/** Sends a request on a new connection. Resolves with the status, or null without a response. */
async function ask(url: string, localAddress: string): Promise<number | null> {
  const asking = request(url, { agent: false, localAddress }).end();
  return new Promise((resolve) => {
    asking.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    asking.on('error', () => resolve(null));
  });
}

void t.test(
  'an address that opens more idle connections than there are descriptors affects neither others nor the database',
  async (t) => {
    const service = await start(t, { DATA_DIR: await temporaryFolder(t) });
    const { url } = service;
    const sockets = await openSilent(t, url, '127.0.0.2', connectionCount);
    for (let round = 0; round < 20; round += 1) {
      t.equal(await ask(`${url}/readyz`, '127.0.0.3'), 200);
    }
    t.equal(await ask(`${url}/readyz`, '127.0.0.2'), null, 'its own next connection is refused');
    sockets.forEach((socket) => socket.destroy());
    while ((await ask(`${url}/readyz`, '127.0.0.2')) !== 200) t.equal(service.child.exitCode, null);
    t.equal(await service.end('SIGTERM'), 0);
  },
);

void t.test(
  'more idle connections than descriptors are cut after ten seconds, and then every request is answered',
  async (t) => {
    const service = await start(t, { MAX_CONNECTIONS_PER_ADDRESS: '10000' });
    const { url } = service;
    await openSilent(t, url, '127.0.0.2', connectionCount);
    while ((await ask(`${url}/readyz`, '127.0.0.3')) !== 200) {
      if (service.child.exitCode !== null) break;
    }
    t.equal(service.child.exitCode, null, service.output());
    t.equal(await ask(`${url}/api/public/studio`, '127.0.0.3'), 200);
    t.equal(await service.end('SIGTERM'), 0);
  },
);

void t.test(
  'a process that runs out of descriptors survives, and answers once some are free',
  async (t) => {
    const service = await start(t, { TROUBLE: 'descriptors' });
    service.child.kill('SIGWINCH');
    let refused = 0;
    while (!service.output().includes('there are descriptors again')) {
      if (service.child.exitCode !== null) break;
      if ((await ask(`${service.url}/healthz`, '127.0.0.3')) === null) refused += 1;
    }
    t.ok(refused > 0, `${refused} were refused`);
    t.equal(service.child.exitCode, null, service.output());
    t.equal(await ask(`${service.url}/readyz`, '127.0.0.3'), 200);
    t.equal(await service.end('SIGTERM'), 0);
  },
);

void t.test('an exception in a timer is logged and survived', async (t) => {
  const service = await start(t, { TROUBLE: 'timer' });
  service.expectLog(/thrown by a timer/);
  service.child.kill('SIGWINCH');
  const isLogged = () => service.output().includes('thrown by a timer');
  while (!isLogged() && service.child.exitCode === null) await nextTurn();
  t.equal(await ask(`${service.url}/readyz`, '127.0.0.3'), 200);
  t.equal(await service.end('SIGTERM'), 0);
});

void t.test('any other uncaught exception is logged and ends the process with 1', async (t) => {
  const service = await start(t, { TROUBLE: 'callback' });
  service.expectLog(/thrown by a callback/);
  service.child.kill('SIGWINCH');
  t.equal(await service.ended, 1);
  t.match(service.output(), /"level":"fatal".*thrown by a callback/);
});
