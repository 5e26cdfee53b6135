import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { createTestDatabase } from '../support/database.js';
import { temporaryFolder, until } from '../support/embedded.js';
import { spawnService, statusFor } from '../support/process.js';
import { secretKey } from '../support/service.js';

const descriptors = 512;
const connectionCount = 600;

/** Opens idle connections from `address`. They stay half-open when the server closes its side. */
async function openIdle(t: Test, url: string, address: string, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  t.teardown(() => sockets.forEach((socket) => socket.destroy()));
  for (let index = 0; index < count; index += 1) {
    const port = Number(new URL(url).port);
    const socket = connect({ port, host: '127.0.0.1', localAddress: address, allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    sockets.push(socket);
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  }
  return sockets;
}

async function start(t: Test, environment: Record<string, string>) {
  const service = await spawnService(t, environment, { descriptors });
  // While it has none to spare, its own connections to the database may be late, too.
  service.expectLog(/connections are refused|EMFILE|timeout exceeded when trying to connect/);
  return service;
}

t.test(
  'an address with more idle connections than descriptors spares the embedded database',
  async (t) => {
    const service = await start(t, { DATA_DIR: await temporaryFolder(t) });
    const ready = `${service.url}/readyz`;
    const sockets = await openIdle(t, ready, '127.0.0.2', connectionCount);
    for (let round = 0; round < 20; round += 1) t.equal(await statusFor(ready, '127.0.0.3'), 200);
    t.equal(await statusFor(ready, '127.0.0.2'), null, 'its own next connection is refused');
    sockets.forEach((socket) => socket.destroy());
    await until(async () => (await statusFor(ready, '127.0.0.2')) === 200);
    t.equal(await service.end('SIGTERM'), 0);
  },
);

t.test(
  'more idle connections than descriptors are cut after ten seconds, and then every request is answered',
  async (t) => {
    const service = await start(t, {
      DATABASE_URL: (await createTestDatabase(t)).connectionString,
      SECRET_KEY: secretKey,
      MAX_CONNECTIONS_PER_ADDRESS: '10000',
    });
    await openIdle(t, service.url, '127.0.0.2', connectionCount);
    const isReady = async () => (await statusFor(`${service.url}/readyz`, '127.0.0.3')) === 200;
    await until(async () => service.child.exitCode !== null || isReady());
    t.equal(service.child.exitCode, null, service.output());
    t.equal(await statusFor(`${service.url}/api/public/studio`, '127.0.0.3'), 200);
    t.equal(await service.end('SIGTERM'), 0);
  },
);
