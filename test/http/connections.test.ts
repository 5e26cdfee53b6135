import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fastify } from 'fastify';
import t, { type Test } from 'tap';
import { ConfigError, loadConfig } from '../../src/config/config.js';
import { createKeyedCounter } from '../../src/platform/concurrency.js';
import { descriptorShares } from '../../src/platform/descriptors.js';
import { createLogger } from '../../src/platform/log.js';
import { noMetrics } from '../../src/platform/metrics/metrics.js';
import { hangUpOf } from '../../src/web/hang-up.js';
import { createClientErrorHandler } from '../../src/web/plugins/client-errors.js';
import {
  connectionLimits,
  registerConnectionLimits,
} from '../../src/web/plugins/connection-limits.js';
import {
  registerConnectionTimeouts,
  type ConnectionTimeouts,
} from '../../src/web/plugins/connection-timeouts.js';
import { agent, charged } from '../support/agents.js';
import { temporaryFolder } from '../support/embedded.js';
import { startService } from '../support/service.js';

const blockBytes = 64 * 1024;
const largeAnswer = Buffer.alloc(60 * blockBytes);

/** Deadlines that no test reaches, often checked. */
const patient: ConnectionTimeouts = {
  firstRequestMs: 600_000,
  unreadResponseMs: 600_000,
  closingMs: 600_000,
  checkEveryMs: 5,
};

/**
 * A server with shortened deadlines, over a Unix socket: the kernel keeps 200 kB of an answer there,
 * and not megabytes as of TCP. `GET /wait` is answered when `answer` is called.
 */
async function serve(t: Test, deadlines: ConnectionTimeouts) {
  const app = fastify({ clientErrorHandler: createClientErrorHandler(createLogger('silent')) });
  registerConnectionTimeouts(app, deadlines);
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  app.get('/large', (_request, reply) => reply.send(largeAnswer));
  app.get('/wait', async () => {
    await asked;
    return 'answered';
  });
  const accepted: Socket[] = [];
  app.server.on('connection', (socket: Socket) => accepted.push(socket));
  const folder = await temporaryFolder(t);
  const path = join(folder, 'socket');
  await app.listen({ path });
  t.teardown(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  return {
    answer,
    /** Both ends of a connection; the client's stays open when the server closes its own. */
    async open() {
      const client = connect({ path, allowHalfOpen: true }).on('error', () => undefined);
      t.teardown(() => client.destroy());
      const count = accepted.length;
      while (accepted.length === count) await nextTurn();
      return { client, server: accepted[count]! };
    },
  };
}

function get(client: Socket, path: string): void {
  client.write(`GET ${path} HTTP/1.1\r\nHost: studio\r\n\r\n`);
}

/** Stops the clock that measures pauses in this process. */
function standingPerformance(t: Test) {
  const real = performance.now;
  // Whole, so that differences are exact.
  let now = Math.ceil(performance.now());
  let readings = 0;
  performance.now = () => {
    readings += 1;
    return now;
  };
  t.teardown(() => (performance.now = real));
  return {
    advance: (milliseconds: number) => void (now += milliseconds),
    /** Resolves once it has been read again, as every check of the deadlines does. */
    async checked() {
      const before = readings;
      while (readings === before) await nextTurn();
    },
  };
}

void t.test('an incomplete request gets 408 after ten seconds, and costs a read', async (t) => {
  const { app, url } = await startService(t, {});
  const accepted: Socket[] = [];
  app.server.on('connection', (socket: Socket) => accepted.push(socket));
  const port = Number(new URL(url).port);
  const open = async (...parts: string[]) => {
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.on('error', () => undefined);
    t.teardown(() => client.destroy());
    let text = '';
    client.setEncoding('utf8').on('data', (part: string) => (text += part));
    for (const part of parts) client.write(part);
    const count = accepted.length;
    while (accepted.length === count) await nextTurn();
    const server = accepted[count]!;
    return { client, server, text: () => text, ended: once(client, 'end') };
  };
  const { advance, checked } = standingPerformance(t);
  const late = await open();
  advance(8_000);
  // Node's own timeout restarts with the first byte.
  late.client.write('G');
  while (late.server.bytesRead === 0) await nextTurn();
  const used = await open('GET /healthz HTTP/1.1\r\nHost: studio\r\n\r\n');
  const others = [
    await open(),
    await open('GET / HTTP/1.1\r\nX-Slow: '),
    await open(
      'POST /api/public/holds HTTP/1.1\r\nHost: studio\r\nContent-Type: application/json\r\n',
      'Content-Length: 100\r\n\r\n{',
    ),
  ];
  while (used.text() === '') await nextTurn();
  advance(2_000);
  await late.ended;
  const isOpen = ({ server }: { server: Socket }) => !server.writableEnded;
  t.ok(others.every(isOpen), 'those are two seconds old');
  advance(8_000);
  for (const { ended } of others) await ended;
  for (const { text } of [late, ...others]) {
    t.match(text(), /^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
  }
  // Their clients keep their side open.
  while ([late, ...others].some(({ server }) => !server.destroyed)) {
    await checked();
    advance(1_000);
  }
  t.match(used.text(), /^HTTP\/1\.1 200 /);
  t.notOk(used.server.destroyed, 'one that was used stays open for the next request');
  const read = await agent(app, { address: '127.0.0.1' }).read();
  t.equal(charged(read), 'reads 58/60');
});

void t.test('a response that is not read is cut in time; slow readers are not', async (t) => {
  const { advance, checked } = standingPerformance(t);
  const { open, answer } = await serve(t, { ...patient, unreadResponseMs: 30_000 });
  const waiting = await open();
  get(waiting.client, '/wait');
  const [stopped, slow] = [await open(), await open()];
  let received = 0;
  for (const { client } of [stopped, slow]) {
    get(client, '/large');
    await once(client, 'data');
    client.pause();
  }
  const cut = once(stopped.server, 'close');
  slow.client.on('data', (bytes) => (received += bytes.length)).pause();
  // Three times the deadline, with some of the answer read in each third of it.
  for (let step = 1; step <= 9; step += 1) {
    const enough = received + 4 * blockBytes;
    slow.client.resume();
    while (received < enough && !slow.server.destroyed) await nextTurn();
    slow.client.pause();
    await checked();
    advance(10_000);
    if (step === 2) t.notOk(stopped.server.destroyed, 'before the deadline it is there');
  }
  await cut;
  slow.client.resume();
  while (received < 50 * blockBytes && !slow.server.destroyed) await nextTurn();
  t.notOk(slow.server.destroyed, 'the slow reader goes on');
  answer();
  const [text] = (await once(waiting.client.setEncoding('utf8'), 'data')) as [string];
  t.match(text, /^HTTP\/1\.1 200 /);
});

void t.test('a half-closed connection is cut', async (t) => {
  const { open } = await serve(t, { ...patient, closingMs: 100 });
  const { client, server } = await open();
  const closed = new Promise((resolve) => server.once('close', resolve));
  const ended = once(client.resume(), 'end');
  client.write('nonsense\r\n\r\n');
  await ended;
  t.notOk(client.writableEnded, 'it knows that the service has closed its side, and keeps its own');
  await closed;
});

void t.test('a network has a limit of open connections, a trusted proxy none', async (t) => {
  const app = fastify();
  const perAddress = createKeyedCounter();
  const config = loadConfig({
    MAX_CONNECTIONS_PER_ADDRESS: '2',
    TRUST_PROXY: '127.0.0.16/28,2001:db8::/32',
  });
  const log = createLogger('silent');
  registerConnectionLimits(app, { config, log, metrics: noMetrics }, perAddress);
  app.get('/', (request) => request.ip);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => app.close());
  /** Ends a connection, which stays open after its request; null where it is refused. */
  const ask = async (localAddress: string) => {
    const agent = new Agent({ keepAlive: true });
    t.teardown(() => agent.destroy());
    const asking = request(url, { agent, localAddress }).end();
    const response = await new Promise<IncomingMessage | null>((resolve) => {
      asking.on('response', resolve).on('error', () => resolve(null));
    });
    if (response !== null) await once(response.resume(), 'end');
    return response === null ? null : () => agent.destroy();
  };

  const open = [await ask('127.0.0.2'), await ask('127.0.0.2')];
  t.equal(await ask('127.0.0.2'), null, 'the third is refused');
  open.push(await ask('127.0.0.3'));
  t.notOk(open.includes(null), 'another address is served');
  const proxied = await Promise.all(Array.from({ length: 5 }, () => ask('127.0.0.17')));
  t.notOk(proxied.includes(null), 'a trusted proxy is served');
  t.equal(perAddress.size(), 2);

  // No address of IPv6 but one can be called from.
  const arrivals = ['1:1', '1:2', '1:3', '2:1'].map((group) => {
    const peer = { remoteAddress: `2001:db9:${group}::1`, remoteFamily: 'IPv6' };
    const socket = Object.assign(new PassThrough(), peer);
    app.server.emit('connection', socket);
    return socket;
  });
  const refused = arrivals.map(({ destroyed }) => destroyed);
  t.strictSame(refused, [false, false, true, false], 'the third of an IPv6 /48');
  for (const socket of arrivals) socket.destroy();

  open[0]?.();
  while (perAddress.get('127.0.0.2') === 2) await nextTurn();
  open.push(await ask('127.0.0.2'));
  t.notOk(open.includes(null), 'there is room again for one');
  for (const end of [...open, ...proxied]) end?.();
  while (perAddress.size() > 0) await nextTurn();
});

t.test('the limit of connections follows from the file descriptors of the process', async (t) => {
  const limitsOf = (descriptors: number, environment: Record<string, string> = {}) =>
    connectionLimits(descriptors, loadConfig(environment));
  t.same(limitsOf(256), { total: 128, perAddress: 50 });
  t.same(limitsOf(1_024), { total: 768, perAddress: 51 });
  t.same(limitsOf(20_000), { total: 15_000, perAddress: 1_000 });
  t.same(limitsOf(1_048_576), { total: 20_000, perAddress: 1_000 });
  t.same(limitsOf(Infinity), limitsOf(1_048_576));
  t.same(limitsOf(1_048_576, { MAX_STREAMS: '50000' }), { total: 100_000, perAddress: 5_000 });
  t.equal(limitsOf(1_024, { MAX_CONNECTIONS_PER_ADDRESS: '7' }).perAddress, 7);
  t.throws(() => limitsOf(255), ConfigError);
  const webhooksOf = (descriptors: number) => descriptorShares(descriptors, 10_000).webhooks;
  t.same([256, 1_024, 20_000, Infinity].map(webhooksOf), [64, 128, 2_500, Infinity]);
});

t.test('a client is found to have hung up, before it is asked for or after', async (t) => {
  const app = fastify();
  t.teardown(() => app.close());
  app.get('/:when', async (request, reply) => {
    const { when } = request.params as { when: string };
    const before = when === 'after' ? hangUpOf(reply) : null;
    reply.hijack();
    const closed = once(reply.raw, 'close');
    request.socket.destroy();
    await closed;
    t.ok((before ?? hangUpOf(reply)).aborted, when);
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  for (const when of ['after', 'before']) await t.rejects(fetch(`${url}/${when}`));
});
