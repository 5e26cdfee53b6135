import t from 'tap';
import { calendarLimits } from '../../src/watched-calendars/limits.js';
import { proxyVariables, setEnvironment } from '../support/environment.js';
import { answer, startReceiver, type Behaviour } from '../support/receiver.js';
import { startUntrusted } from '../support/self-signed.js';
import {
  calendar,
  dentist,
  dentistBusy,
  event,
  failed,
  patientLimits,
  startReader,
} from './start-reader.js';

const { receiver, read } = await startReader(t);
const named = 'http://calendars.example.com';

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
  for (const address of [
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
  ]) {
    t.same(await read({ address }), failed('target_refused'), address);
  }
  t.same(resolved, [], 'without a DNS query');
  const address = 'https://rebind.example.com/calendar.ics';
  t.same(await read({ address }), failed('target_refused'), 'a name with a private address');
  t.same(resolved, ['rebind.example.com']);
  t.equal(receiver.connectionCount(), 0);
});

t.test('a host is dialled at the addresses that were checked, and at no other', async (t) => {
  const { receiver, read } = await startReader(t, {
    resolve: () => Promise.resolve(['127.0.0.1']),
  });
  t.match(await read({ address: `${named}:${receiver.port}/a?b=c#d` }), { outcome: 'read' });
  const { headers, path } = await receiver.request(1);
  t.equal(headers['host'], `calendars.example.com:${receiver.port}`);
  t.equal(path, '/a?b=c');
  const nowhere = await startReader(t, {
    resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
  });
  t.same(await nowhere.read({ address: named }), failed('dns_failed'));
  const silent = await startReader(t, {
    resolve: () => new Promise(() => undefined),
    limits: { ...patientLimits, connectSeconds: 0.1 },
  });
  t.same(await silent.read({ address: named }), failed('connect_timeout'));
});

t.test(
  'neither untrusted certificates nor proxies are accepted from the environment',
  async (t) => {
    const untrusted = await startUntrusted(t);
    const proxy = await startReceiver();
    t.teardown(() => proxy.close());
    setEnvironment(t, {
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      ...proxyVariables(proxy.origin),
    });
    const { receiver, read } = await startReader(t);
    t.same(await read({ address: untrusted.url }), failed('tls_failed'));
    t.equal(untrusted.requestCount(), 0);
    t.match(await read(), { outcome: 'read' });
    t.equal(receiver.requests.length, 1);
    t.equal(proxy.connectionCount(), 0);
  },
);

t.test('only a response of 200 is a calendar, and redirects are not followed', async (t) => {
  for (const status of [201, 204, 206, 401, 403, 404, 410, 429, 500, 503]) {
    receiver.behave(answer(status, {}, status === 204 ? '' : calendar(dentist)));
    t.same(await read(), failed('status', status));
  }
  const count = receiver.requests.length;
  const redirects = [301, 302, 303, 307, 308];
  for (const status of redirects) {
    receiver.behave(answer(status, { location: `${receiver.origin}/else` }));
    t.same(await read(), failed('redirect', status));
  }
  t.equal(receiver.requests.length, count + redirects.length);
});

t.test('a login page or any other text is no calendar', async (t) => {
  const texts = ['<!doctype html><title>Sign in</title>', '{}', '', 'BEGIN:VCARD\r\nEND:VCARD\r\n'];
  for (const text of [...texts, 'BEGIN:VCALENDARS\r\n', '\0'.repeat(20)]) {
    receiver.behave(answer(200, { 'content-type': 'text/calendar' }, text));
    t.same(await read(), failed('not_a_calendar'));
  }
  receiver.behave(answer(200, {}, calendar(event('DTSTART:tomorrow'))));
  t.same(await read(), failed('unreadable'));
});

t.test('a body of more than 5 MB is not read to its end', async (t) => {
  const padding = 5_000_000 - calendar(dentist, 'X-A:').length;
  const full = calendar(dentist, `X-A:${'x'.repeat(padding)}`);
  t.equal(full.length, 5_000_000);
  receiver.behave(answer(200, {}, full));
  t.match(await read(), { outcome: 'read', busy: dentistBusy });
  const tooLarge: [what: string, Behaviour][] = [
    ['one byte too long, and said so', answer(200, {}, `${full}\n`)],
    ['and not said', answer(200, { 'transfer-encoding': 'chunked' }, `${full}\n`)],
    [
      'before any of it has come',
      { kind: 'raw', bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 5000001\r\n\r\n' },
    ],
    ['without an end', { kind: 'gigabyte', status: 200 }],
  ];
  for (const [what, behaviour] of tooLarge) {
    receiver.behave(behaviour);
    t.same(await read(), failed('too_large'), what);
  }
  t.ok(receiver.bodyBytesSent() < 100_000_000, `${receiver.bodyBytesSent()} bytes`);
});

t.test('a body with an encoding is refused: it could unpack to any size', async (t) => {
  receiver.behave(answer(200, { 'content-encoding': 'gzip' }, calendar(dentist)));
  t.same(await read(), failed('bad_answer'));
  receiver.behave(answer(200, { 'content-encoding': 'Identity' }, calendar(dentist)));
  t.match(await read(), { outcome: 'read' });
});

t.test('a response that never ends fails with timeout', async (t) => {
  const slow: Behaviour[] = [
    { kind: 'hang' },
    { kind: 'drip head', everyMs: 5 },
    { kind: 'drip body', status: 200, everyMs: 5 },
  ];
  const limits = { ...calendarLimits, fetchSeconds: 0.3 };
  for (const behaviour of slow) {
    const { receiver, read } = await startReader(t, { behaviour, limits });
    t.same(await read(), failed('timeout'), behaviour.kind);
    await (
      await receiver.request(1)
    ).closed;
  }
});

t.test('a response that breaks off or is not HTTP says how', async (t) => {
  receiver.behave({ kind: 'reset' });
  t.same(await read(), failed('connection_lost'));
  receiver.behave({ kind: 'raw', bytes: 'HELLO\r\n\r\n' });
  t.same(await read(), failed('bad_answer'));
  const gone = await startReader(t);
  const { port } = gone.receiver;
  await gone.receiver.close();
  t.same(await gone.read({ address: `http://127.0.0.1:${port}/` }), failed('connection_refused'));
});
