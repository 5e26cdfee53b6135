import { EventSource } from 'eventsource';
import t, { type Test } from 'tap';
import { createApp } from '../../../src/app.js';
import { closeContext, createContext } from '../../../src/context.js';
import { cutListeners, watchListener } from '../../support/board.js';
import { confirmCheckout } from '../../support/checkouts.js';
import { allowConnections, warmPool } from '../../support/database.js';
import { hold } from '../../support/holds.js';
import { isOpenIn, openLiveStream } from '../../support/live-stream.js';
import { freePort } from '../../support/process.js';
import { someOpenSlots } from '../../support/requests.js';
import {
  proxyMissing,
  startReverseProxy,
  startTestProxy,
  type ProxyName,
} from '../../support/reverse-proxies.js';
import { lostDatabase } from '../../support/service-log.js';
import { generous, startAgain, startNeighbour, startService } from '../../support/service.js';

void t.test('viewers get no wrong state while the database connection is lost', async (t) => {
  const { url, context, expectLog } = await startService(t);
  expectLog(lostDatabase);
  const neighbour = await startNeighbour(t, context);
  const [first, second] = await someOpenSlots(context, 2);
  const viewing = await openLiveStream(t, url);
  await viewing.next(({ event }) => event === 'pulse');

  const watch = await watchListener(context);
  for (const { pool } of [context, neighbour]) await warmPool(pool);
  await allowConnections(context.connection, false);
  await cutListeners(context);
  await watch.lost;
  const { token } = await hold(neighbour, first.date, first.timeSlot);
  const heldAt = viewing.events.length;
  await viewing.next((event) => isOpenIn(event, first) === false);
  await confirmCheckout(neighbour, token);

  await allowConnections(context.connection, true);
  await watch.restored;
  await hold(neighbour, second.date, second.timeSlot);
  await viewing.next((event) => isOpenIn(event, second) === false);
  await viewing.next((event) => event.event === 'pulse' && event.data.pending_holds === 1);
  const received = viewing.events.slice(heldAt);
  t.notOk(
    received.some((event) => isOpenIn(event, first) === true),
    'the held slot never looked open',
  );
  t.match(viewing.events.at(-1), { event: 'pulse', data: { confirmed_upcoming: 1 } });
});

void t.test('while the database is away, a viewer gets 503 and takes no stream', async (t) => {
  const { context, expectLog } = await startService(t, {
    ...generous,
    MAX_STREAMS_PER_ADDRESS: '1',
  });
  expectLog(/"code":"service_unavailable"/);
  const { config, log, keyring } = context;
  const connection = { connectionString: 'postgres://nobody@127.0.0.1:1/nothing' };
  const cutOff = createContext({ config, log, connection, keyring });
  const app = await createApp(cutOff);
  t.teardown(async () => {
    await app.close();
    await closeContext(cutOff);
  });
  expectLog(/could not be read; retrying/);
  await t.rejects(cutOff.board.refresh(), { code: 'ECONNREFUSED' });
  for (let count = 0; count < 3; count += 1) {
    const answer = await app.inject('/api/public/events');
    t.equal(answer.statusCode, 503);
    t.match(answer.json(), { error: { code: 'service_unavailable' } });
  }
});

void t.test('viewers reconnect after a restart, at times that the service spreads', async (t) => {
  // The port stays free until the service is back.
  const PORT = String(await freePort());
  const { context, app, url } = await startService(t, {
    ...generous,
    PORT,
    MAX_STREAMS_PER_ADDRESS: '1000',
  });
  const viewers = 30;
  const viewings = await Promise.all(Array.from({ length: viewers }, () => openLiveStream(t, url)));
  for (const { vanish, next } of viewings) {
    await next(({ event }) => event === 'pulse');
    vanish();
  }
  // Not measured from the reconnections, which a slow machine delays together.
  const perHalfSecond: number[] = [];
  for (const { retries } of viewings) {
    t.equal(retries.length, 1);
    const half = Math.floor(retries[0]! / 500);
    perHalfSecond[half] = (perHalfSecond[half] ?? 0) + 1;
  }
  const most = Math.max(...perHalfSecond.filter(Number));
  t.ok(most <= (viewers * 2) / 3, `at most ${most} of ${viewers} within half a second`);

  const sources = Array.from({ length: 5 }, () => openSource(t, url));
  await Promise.all(sources.map((source) => heard(source, 'pulse')));
  const back = sources.map((source) => heard(source, 'open'));
  await app.close();
  const neighbour = await startAgain(t, context, Number(PORT));
  await Promise.all(back);
  t.equal(neighbour.liveStream.viewerCount(), sources.length);
});

void t.test('a viewer that comes while a process stops reaches the next one', async (t) => {
  const port = await freePort();
  const { context, app, url } = await startService(t, { ...generous, PORT: String(port) });
  await context.liveStream.drain();
  const source = openSource(t, url);
  await heard(source, 'error');
  t.equal(source.readyState, EventSource.CONNECTING);
  const back = heard(source, 'pulse');
  await app.close();
  await startAgain(t, context, port);
  if (source.readyState !== EventSource.CLOSED) await back;
});

/** That the proxy compresses all that it can. */
const compression: Record<ProxyName, string> = {
  nginx: 'gzip on; gzip_proxied any; gzip_min_length 1; gzip_types text/event-stream;',
  haproxy: 'compression algo gzip\n  compression type text/event-stream',
  caddy: 'encode gzip zstd',
};

const clients: Record<string, Record<string, string>> = {
  'a client without compression': {},
  'a client with gzip': { 'accept-encoding': 'gzip' },
  'a browser': { 'accept-encoding': 'gzip, deflate, br, zstd' },
};

for (const name of Object.keys(compression) as ProxyName[]) {
  void t.test(`${name} with compression passes on events at once`, async (t) => {
    const missing = proxyMissing(name);
    if (missing !== false) {
      t.pass(missing, { skip: true });
      return;
    }
    const service = await startService(t);
    // TRUST_PROXY lists none, and Caddy tells the client's address.
    service.expectLog(/X-Forwarded-For/);
    const options = { target: service.url, settings: compression[name] };
    const url = await startReverseProxy(t, name, options);
    const [slot] = await someOpenSlots(service.context, 1);
    const viewings = [];
    for (const [client, headers] of Object.entries(clients)) {
      const viewing = await openLiveStream(t, url, headers);
      // What is compressed, this client could not read.
      if (!t.equal(viewing.headers['content-encoding'], 'identity', client)) return;
      await viewing.next(({ event }) => event === 'pulse');
      viewings.push(viewing);
    }
    await hold(service.context, slot.date, slot.timeSlot);
    for (const viewing of viewings) await viewing.next((event) => isOpenIn(event, slot) === false);
  });
}

void t.test('programs follow behind a proxy that would hold back', async (t) => {
  const service = await startService(t);
  service.expectLog(/X-Forwarded-For/);
  const url = await startTestProxy(t, { target: service.url });
  const viewing = await openLiveStream(t, url, { 'accept-encoding': 'gzip' });
  t.equal(viewing.headers['content-encoding'], 'identity');
  await viewing.next(({ event }) => event === 'pulse');

  await heard(openSource(t, url), 'pulse');
});

function openSource(t: Test, url: string): EventSource {
  const source = new EventSource(`${url}/api/public/events`);
  t.teardown(() => source.close());
  return source;
}

async function heard(source: EventSource, event: string): Promise<void> {
  await new Promise((resolve) => source.addEventListener(event, resolve, { once: true }));
}
