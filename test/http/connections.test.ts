import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fastify } from 'fastify';
import t, { type Test } from 'tap';
import { ConfigError, loadConfig } from '../../src/config.js';
import { createClientErrorHandler } from '../../src/http/plugins/client-errors.js';
import {
  registerConnectionTimeouts,
  type ConnectionTimeouts,
} from '../../src/http/plugins/connection-timeouts.js';
import {
  connectionLimits,
  registerConnectionLimits,
} from '../../src/http/plugins/connection-limits.js';
import { descriptorShares } from '../../src/platform/descriptors.js';
import { createLogger } from '../../src/platform/log.js';
import { noMetrics } from '../../src/platform/metrics/metrics.js';
import { createKeyedCounter } from '../../src/platform/keyed-counter.js';
import { startTestService } from '../support/service.js';

const blockBytes = 64 * 1024;
const largeAnswer = Buffer.alloc(60 * blockBytes);

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
  const folder = await mkdtemp(join(tmpdir(), 'connections-'));
  const path = join(folder, 'socket');
  await app.listen({ path });
  t.teardown(async () => {
    app.server.closeAllConnections();
    await app.close();
    await rm(folder, { recursive: true });
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

void t.test(
  'a connection without a complete request after ten seconds gets 408 and is closed',
  async (t) => {
    const { app, url } = await startTestService(t);
    const accepted: Socket[] = [];
    app.server.on('connection', (socket: Socket) => accepted.push(socket));
    const open = async (...parts: string[]) => {
      const client = connect({
        port: Number(new URL(url).port),
        host: '127.0.0.1',
        allowHalfOpen: true,
      });
      client.on('error', () => undefined);
      t.teardown(() => client.destroy());
      await once(client, 'connect');
      let text = '';
      client.setEncoding('utf8').on('data', (part: string) => (text += part));
      for (const part of parts) client.write(part);
      return { client, text: () => text };
    };
    const began = performance.now();
    const silent = await open();
    const header = await open('GET / HTTP/1.1\r\nX-Slow: ');
    const body = await open(
      'POST /api/public/holds HTTP/1.1\r\nHost: studio\r\nContent-Type: application/json\r\n',
      'Content-Length: 100\r\n\r\n{',
    );
    const late = await open();
    const used = await open('GET /healthz HTTP/1.1\r\nHost: studio\r\n\r\n');
    while (accepted.length < 5) await nextTurn();
    // Node's own timeout restarts with the first byte.
    setTimeout(() => late.client.write('G'), 8_000);
    const sockets = [...accepted];
    await Promise.all(
      sockets.filter((_, index) => index !== 4).map(async (socket) => once(socket, 'close')),
    );
    const tookMs = Math.round(performance.now() - began);
    t.ok(tookMs >= 10_000 && tookMs < 17_000, `the last was closed after ${tookMs} ms`);
    for (const { text } of [silent, header, body, late]) t.match(text(), /^HTTP\/1.1 408 /);
    t.match(used.text(), /^HTTP\/1.1 200 /);
    t.notOk(sockets[4]?.destroyed, 'one that was used stays open for the next request');
  },
);

void t.test(
  'a response that the client does not read is cut after the deadline; slow readers and waiting clients are not',
  async (t) => {
    const deadlines = {
      firstRequestMs: 60_000,
      unreadResponseMs: 1_500,
      closingMs: 60_000,
      checkEveryMs: 50,
    };
    const { open, answer } = await serve(t, deadlines);
    const waiting = await open();
    get(waiting.client, '/wait');
    const slow = await open();
    get(slow.client, '/large');
    const stopped = await open();
    get(stopped.client, '/large');
    await once(stopped.client, 'data');
    stopped.client.pause();
    const began = performance.now();

    let received = 0;
    slow.client.on('data', (bytes) => {
      received += bytes.length;
      slow.client.pause();
      setTimeout(() => slow.client.resume(), 60);
    });
    await once(stopped.server, 'close');
    const tookMs = Math.round(performance.now() - began);
    t.ok(tookMs >= deadlines.unreadResponseMs, `it was cut after ${tookMs} ms`);
    while (received < largeAnswer.length && !slow.server.destroyed) await nextTurn();
    t.ok(received > largeAnswer.length, 'the slow reader has the whole answer');
    const tookSlowMs = Math.round(performance.now() - began);
    t.ok(tookSlowMs > 2 * deadlines.unreadResponseMs, `and took ${tookSlowMs} ms for it`);
    answer();
    const [text] = (await once(waiting.client.setEncoding('utf8'), 'data')) as [string];
    t.match(text, /^HTTP\/1.1 200 /);
  },
);

void t.test('a half-closed connection is cut', async (t) => {
  const { open } = await serve(t, {
    firstRequestMs: 60_000,
    unreadResponseMs: 60_000,
    closingMs: 100,
    checkEveryMs: 20,
  });
  const { client, server } = await open();
  const closed = new Promise((resolve) => server.once('close', resolve));
  const ended = once(client.resume(), 'end');
  client.write('nonsense\r\n\r\n');
  await ended;
  t.notOk(client.writableEnded, 'it knows that the service has closed its side, and keeps its own');
  await closed;
});

/** A server whose limits are those of the environment; answers with the client's address. */
async function serveLimited(t: Test, environment: Record<string, string>) {
  const app = fastify();
  const perAddress = createKeyedCounter();
  const log = createLogger('silent');
  const config = loadConfig(environment);
  registerConnectionLimits(app, { config, log, metrics: noMetrics }, perAddress);
  app.get('/', (request) => request.ip);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  /** One request on a connection that stays open until it is ended; null where it is refused. */
  const ask = async (localAddress: string) => {
    const agent = new Agent({ keepAlive: true });
    t.teardown(() => agent.destroy());
    const asking = request(url, { agent, localAddress }).end();
    const response = await new Promise<IncomingMessage | null>((resolve) => {
      asking.on('response', resolve).on('error', () => resolve(null));
    });
    if (response === null) return null;
    await once(response.resume(), 'end');
    return { end: () => agent.destroy() };
  };
  return { ask, perAddress };
}

void t.test(
  'an address has at most MAX_CONNECTIONS_PER_ADDRESS open connections, a trusted proxy more',
  async (t) => {
    const { ask, perAddress } = await serveLimited(t, {
      MAX_CONNECTIONS_PER_ADDRESS: '2',
      TRUST_PROXY: '127.0.0.16/28,2001:db8::/32',
    });
    const open = [await ask('127.0.0.2'), await ask('127.0.0.2')];
    t.equal(await ask('127.0.0.2'), null, 'the third is refused');
    open.push(await ask('127.0.0.3'));
    t.notOk(open.includes(null), 'another address is served');
    const proxied = await Promise.all(Array.from({ length: 5 }, () => ask('127.0.0.17')));
    t.notOk(proxied.includes(null), 'a trusted proxy is served');
    t.equal(perAddress.size(), 2);

    open[0]?.end();
    while (perAddress.get('127.0.0.2') === 2) await nextTurn();
    open.push(await ask('127.0.0.2'));
    t.notOk(open.includes(null), 'there is room again for one');
    for (const connection of [...open, ...proxied]) connection?.end();
    while (perAddress.size() > 0) await nextTurn();
  },
);

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
