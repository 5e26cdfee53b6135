import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { proxyVariables, setEnvironment } from '../support/environment.js';
import { startReceiver } from '../support/receiver.js';
import { selfSigned } from '../support/self-signed.js';
import { failed, patientLimits, startReader } from './start-reader.js';

t.test('a calendar that is not on the public internet is not fetched', async (t) => {
  const resolved: string[] = [];
  const { receiver, read } = await startReader(t, {
    allowPrivateTargets: false,
    resolve: (hostname) => {
      resolved.push(hostname);
      return Promise.resolve(['8.8.8.8', '127.0.0.1']);
    },
  });
  const { port } = receiver;
  const literals = [
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:8443/`,
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://0x7f.1/',
    'https://localhost/',
    'https://printer.local/',
    'https://user:secret@example.com/',
    `https://example.com:${port}/`,
    'http://example.com/',
    'file:///etc/passwd',
    'nonsense',
  ];
  for (const address of literals)
    t.same(await read({ address }), failed('target_refused'), address);
  t.same(resolved, [], 'without a DNS query');
  const address = 'https://rebind.example.com/calendar.ics';
  t.same(await read({ address }), failed('target_refused'), 'a name with a private address');
  t.same(resolved, ['rebind.example.com']);
  t.equal(receiver.connectionCount(), 0);
});

t.test('a host is dialled at the addresses that were checked', async (t) => {
  const { receiver, read } = await startReader(t, {
    resolve: () => Promise.resolve(['127.0.0.1']),
  });
  const address = `http://calendars.example.com:${receiver.port}/a?b=c#d`;
  t.match(await read({ address }), { outcome: 'read' });
  const { headers, path } = await receiver.request(1);
  t.equal(headers['host'], `calendars.example.com:${receiver.port}`);
  t.equal(path, '/a?b=c');
});

t.test('a name that does not resolve fails with dns_failed', async (t) => {
  const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
  const { read } = await startReader(t, { resolve });
  t.same(await read({ address: 'http://calendars.example.com/' }), failed('dns_failed'));
});

t.test('a connection that takes too long fails with connect_timeout', async (t) => {
  const { read } = await startReader(t, {
    resolve: () => new Promise(() => undefined),
    limits: { ...patientLimits, connectSeconds: 0.1 },
  });
  t.same(await read({ address: 'http://calendars.example.com/' }), failed('connect_timeout'));
});

t.test('an untrusted certificate is refused, whatever the environment', async (t) => {
  let requestCount = 0;
  const server = createTlsServer(selfSigned, (_request, response) => {
    requestCount += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { read } = await startReader(t);
  setEnvironment(t, { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  t.same(await read({ address: `https://127.0.0.1:${port}/` }), failed('tls_failed'));
  t.equal(requestCount, 0);
});

t.test('proxy variables are ignored', async (t) => {
  const { receiver, read } = await startReader(t);
  const proxy = await startReceiver();
  t.teardown(() => proxy.close());
  setEnvironment(t, proxyVariables(proxy.origin));
  t.match(await read(), { outcome: 'read' });
  t.equal(receiver.requests.length, 1);
  t.equal(proxy.connectionCount(), 0);
});
