import { gzipSync } from 'node:zlib';
import t from 'tap';
import { inflated, redirectedTo } from '../../src/icalendar/read/fetch-calendar.js';
import { calendarLimits } from '../../src/icalendar/read/limits.js';
import { answer, type Behaviour } from '../support/receiver.js';
import {
  calendar,
  dentist,
  dentistBusy,
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
  const rebind = 'https://rebind.example.com/calendar.ics';
  for (const address of [receiver.origin, 'https://localhost/', 'file:///etc/passwd', rebind]) {
    t.same(await read({ address }), failed('target_refused'), address);
  }
  t.same(resolved, ['rebind.example.com'], 'without a DNS query for the others');
  t.equal(receiver.connectionCount(), 0);
});

t.test('a host is dialled at the addresses that were checked, and at no other', async (t) => {
  const { receiver, read } = await startReader(t, {
    resolve: () => Promise.resolve(['127.0.0.1']),
  });
  t.match(await read({ address: `${named}:${receiver.port}/a?b=c#d` }), { outcome: 'read' });
  t.match(await receiver.request(1), {
    headers: { host: `calendars.example.com:${receiver.port}` },
    path: '/a?b=c',
  });
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

t.test('a redirect leads to allowed targets only', async (t) => {
  const { receiver, read } = await startReader(t, {
    resolve: () => Promise.resolve(['169.254.169.254']),
  });
  for (const location of ['file:///etc/passwd', 'http://169.254.169.254/', named]) {
    for (const hops of [[], [answer(307, { location: '/1' })]]) {
      const [first, ...others] = [...hops, answer(301, { location })] as const;
      receiver.behave(first!, ...others);
      t.same(await read(), failed('target_refused'), `${location} after ${hops.length}`);
    }
  }
  const from = new URL('https://calendars.example.com/a/b?c');
  t.equal(redirectedTo('d', from)?.href, 'https://calendars.example.com/a/d');
  t.equal(redirectedTo('//example.com/', from)?.href, 'https://example.com/');
  for (const location of [named, 'ftp://example.com/', 'https://', ['/a', '/b'], undefined]) {
    t.equal(redirectedTo(location, from), null, String(location));
  }
});

const padding = 20_000_000 - calendar(dentist, 'X-A:').length;
const full = calendar(dentist, `X-A:${'x'.repeat(padding)}`);
const raw = (bytes: string): Behaviour => ({ kind: 'raw', bytes });

/** A response, and why it is no calendar. */
type Refused = [what: string, Behaviour, error: string, statusCode?: number];
const refused: Refused[] = [
  ...[201, 204, 206, 401, 403, 404, 410, 429, 500, 503].map((status): Refused => {
    const body = status === 204 ? '' : calendar(dentist);
    return [`a status of ${status}`, answer(status, {}, body), 'status', status];
  }),
  ...['', 'http://'].map((location): Refused => {
    const headers: Record<string, string> = location === '' ? {} : { location };
    return [`a redirect to "${location}"`, answer(302, headers), 'redirect', 302];
  }),
  ...['<!doctype html>', '{}', '', 'BEGIN:VCARD\r\n', 'BEGIN:VCALENDARS\r\n', '\0'.repeat(20)].map(
    (text): Refused => [
      `another text: ${text}`,
      answer(200, { 'content-type': 'text/calendar' }, text),
      'not_a_calendar',
    ],
  ),
  [
    'UTF-16',
    answer(200, {}, Buffer.from(`\ufeff${calendar(dentist)}`, 'utf16le')),
    'not_a_calendar',
  ],
  ['an end', answer(200, {}, calendar(dentist).slice(0, -20)), 'unreadable'],
  ['a bomb', answer(200, {}, gzipSync(Buffer.alloc(100_000_000))), 'too_large'],
  ['half a body', answer(200, {}, gzipSync(calendar(dentist)).subarray(0, 60)), 'bad_answer'],
  ['a byte more than 20 MB', answer(200, {}, `${full}\n`), 'too_large'],
  ['not said', answer(200, { 'transfer-encoding': 'chunked' }, `${full}\n`), 'too_large'],
  ['not yet come', raw('HTTP/1.1 200 OK\r\ncontent-length: 20000001\r\n\r\n'), 'too_large'],
  ['a body without an end', { kind: 'gigabyte', status: 200 }, 'too_large'],
  ['a connection that breaks off', { kind: 'reset' }, 'connection_lost'],
  ['another protocol', raw('HELLO\r\n\r\n'), 'bad_answer'],
];

t.test('a response that is no calendar of 20 MB at most is refused, and says why', async (t) => {
  const count = receiver.requests.length;
  for (const [what, behaviour, error, statusCode = null] of refused) {
    receiver.behave(behaviour);
    t.same(await read(), failed(error, statusCode), what);
  }
  t.equal(receiver.requests.length, count + refused.length, 'no redirect of these is followed');
  t.ok(receiver.bodyBytesSent() < 100_000_000, `${receiver.bodyBytesSent()} bytes`);
  const bomb = gzipSync(Buffer.alloc(1_001));
  t.same(await inflated(bomb, 1_000), failed('too_large'), 'not inflated beyond the limit');
  for (const encoding of [{}, { 'content-encoding': 'Identity' }]) {
    receiver.behave(answer(200, encoding, full));
    t.match(await read(), { outcome: 'read', busy: dentistBusy });
  }
});

t.test('a response that never ends fails with timeout', async (t) => {
  const slow: Behaviour[] = [
    { kind: 'hang' },
    { kind: 'drip head', everyMs: 5 },
    { kind: 'drip body', status: 200, everyMs: 5 },
  ];
  const limits = { ...calendarLimits, headSeconds: 0.3, bodySeconds: 0.3 };
  for (const behaviour of slow) {
    const { receiver, read } = await startReader(t, { behaviour, limits });
    t.same(await read(), failed('timeout'), behaviour.kind);
    await (
      await receiver.request(1)
    ).closed;
  }
});

t.test('a server that is gone says so', async (t) => {
  const gone = await startReader(t);
  await gone.receiver.close();
  t.same(await gone.read(), failed('connection_refused'));
});
