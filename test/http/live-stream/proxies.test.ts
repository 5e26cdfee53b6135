import { EventSource } from 'eventsource';
import t from 'tap';
import { hold } from '../../support/board.js';
import { launchBrowser, patienceMs } from '../../support/browser.js';
import { isOpenIn, openLiveStream } from '../../support/live-stream.js';
import { someOpenSlots } from '../../support/requests.js';
import {
  proxyMissing,
  startReverseProxy,
  startTestProxy,
  type ProxyName,
} from '../../support/reverse-proxies.js';
import { startTestService } from '../../support/service.js';

const service = await startTestService(t);
// TRUST_PROXY lists none, and Caddy tells the client's address.
service.expectLog(/X-Forwarded-For/);
const { context } = service;
const slots = await someOpenSlots(context, 4);

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
  t.test(`${name} with compression passes on events at once`, async (t) => {
    const missing = proxyMissing(name);
    if (missing !== false) {
      t.pass(missing, { skip: true });
      return;
    }
    const options = { target: service.url, settings: compression[name] };
    const url = await startReverseProxy(t, name, options);
    const slot = slots.pop()!;
    const viewings = [];
    for (const [client, headers] of Object.entries(clients)) {
      const viewing = await openLiveStream(t, url, headers);
      // What is compressed, this client could not read.
      if (!t.equal(viewing.headers['content-encoding'], 'identity', client)) return;
      await viewing.next(({ event }) => event === 'pulse');
      viewings.push(viewing);
    }
    await hold(context, slot.date, slot.timeSlot);
    for (const viewing of viewings) await viewing.next((event) => isOpenIn(event, slot) === false);
  });
}

t.test(
  'behind a proxy that holds back what it compresses, programs and browsers follow',
  async (t) => {
    const url = await startTestProxy(t, { target: service.url });
    const viewing = await openLiveStream(t, url, { 'accept-encoding': 'gzip' });
    t.equal(viewing.headers['content-encoding'], 'identity');
    await viewing.next(({ event }) => event === 'pulse');

    const source = new EventSource(`${url}/api/public/events`);
    t.teardown(() => source.close());
    await new Promise((resolve) => source.addEventListener('pulse', resolve));

    const browser = await launchBrowser(t);
    if (browser === null) return;
    const page = await browser.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(`${url}/`);
    await page.evaluate(
      () =>
        new Promise((resolve) =>
          new EventSource('/api/public/events').addEventListener('pulse', resolve, { once: true }),
        ),
    );
  },
);
