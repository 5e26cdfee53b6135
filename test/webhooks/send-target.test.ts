import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { createSender } from '../../src/webhooks/send.js';
import { proxyVariables, setEnvironment } from '../support/environment.js';
import { clock, startSender } from '../support/sender.js';
import { startReceiver } from '../support/receiver.js';
import { selfSigned } from '../support/self-signed.js';

t.test('the connection refuses a target that is not public', async (t) => {
  const resolved: string[] = [];
  const { receiver, send } = await startSender(t, {
    allowPrivateTargets: false,
    resolve: (hostname) => {
      resolved.push(hostname);
      return Promise.resolve(['8.8.8.8', '127.0.0.1']);
    },
  });
  const refused = { outcome: 'failed', statusCode: null, error: 'target_refused' };
  t.match(await send(), refused, 'http to a loopback literal');
  t.match(await send({ url: `https://127.0.0.1:8443/` }), refused, 'https to a loopback literal');
  t.same(resolved, [], 'without a DNS query');
  t.match(await send({ url: 'https://rebind.example.com/' }), refused, 'a name');
  t.same(resolved, ['rebind.example.com']);
  t.equal(receiver.connectionCount(), 0);
});

t.test('a host is dialled at the addresses that were checked', async (t) => {
  const { receiver, send } = await startSender(t, {
    resolve: () => Promise.resolve(['127.0.0.1']),
  });
  const url = `http://hooks.example.com:${receiver.port}/`;
  t.match(await send({ url }), { outcome: 'delivered' });
  t.equal(receiver.requests[0]?.headers['host'], `hooks.example.com:${receiver.port}`);
});

t.test('a DNS error fails the attempt with dns_failed', async (t) => {
  for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'ESERVFAIL', 'ETIMEOUT']) {
    const resolve = (): Promise<string[]> =>
      Promise.reject(Object.assign(new Error(code), { code }));
    const { send } = await startSender(t, { resolve });
    const result = await send({ url: 'http://hooks.example.com/' });
    t.match(result, { outcome: 'failed', error: 'dns_failed' }, code);
  }
});

t.test('a connection that takes too long fails with connect_timeout', async (t) => {
  const sender = createSender({
    allowPrivateTargets: true,
    clock,
    resolve: () => new Promise(() => undefined),
    timeouts: { connectSeconds: 0.1, totalSeconds: 15 },
  });
  t.teardown(() => sender.close());
  const url = 'http://hooks.example.com/';
  const result = await sender.send({ url, headers: {}, body: '{}' });
  t.match(result, { outcome: 'failed', statusCode: null, error: 'connect_timeout' });
  t.ok(result.durationMs < 5000, `${result.durationMs} ms`);
});

t.test('an untrusted certificate is refused, whatever the environment', async (t) => {
  let requestCount = 0;
  const server = createTlsServer(selfSigned, (_request, response) => {
    requestCount += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { sender, receiver } = await startSender(t);
  t.teardown(() => server.close());
  setEnvironment(t, { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  for (const url of [`https://127.0.0.1:${port}/`, `https://127.0.0.1:${receiver.port}/`]) {
    const result = await sender.send({ url, headers: {}, body: '{}' });
    t.match(result, { outcome: 'failed', statusCode: null, error: 'tls_failed' });
  }
  t.equal(requestCount, 0);
});

t.test('proxy variables are ignored', async (t) => {
  const { receiver, send } = await startSender(t);
  const proxy = await startReceiver();
  t.teardown(() => proxy.close());
  setEnvironment(t, proxyVariables(proxy.origin));
  t.match(await send(), { outcome: 'delivered' });
  t.equal(receiver.requests.length, 1);
  t.equal(proxy.connectionCount(), 0);
});
