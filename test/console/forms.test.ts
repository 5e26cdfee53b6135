import t from 'tap';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { consoleClient, consoleLink, openLink, signIn } from '../support/console.js';
import { holdForPerson } from '../support/pages.js';
import { originMismatch } from '../support/service-log.js';
import { startService } from '../support/service.js';

const service = await startService(t);
service.expectLog(originMismatch);

async function stored() {
  const { database } = service.context;
  const [bookings, audit, sessions] = await Promise.all([
    database.selectFrom('bookings').select(['id', 'status', 'sequence']).orderBy('id').execute(),
    database.selectFrom('audit_log').select('action').execute(),
    database.selectFrom('console_sessions').select('id').orderBy('id').execute(),
  ]);
  return { bookings, audit, sessions };
}

t.test('a post that no person made on a page of its session does nothing', async (t) => {
  const { id, token: checkoutToken } = await holdForPerson(service);
  await confirmCheckout(service.context, checkoutToken);
  const [ada, bob, gone] = [await signIn(service), await signIn(service), await signIn(service)];
  const [token, bobs, goners] = [await ada.token(), await bob.token(), await gone.token()];
  await gone.post('/console/sign-out');
  const before = await stored();
  type Changes = Record<string, string | undefined>;
  const cases: [name: string, fields: Changes, headers: Changes][] = [
    ['no token', { _csrf: undefined }, {}],
    ['an empty token', { _csrf: '' }, {}],
    ['an invented token', { _csrf: 'x'.repeat(token.length) }, {}],
    ['the token of another session', { _csrf: bobs }, {}],
    ['the token of a session that has ended', { _csrf: goners }, {}],
    ['the token in a header', { _csrf: undefined }, { 'csrf-token': token, 'x-csrf-token': token }],
    ['another website', { _csrf: token }, { origin: 'https://evil.example' }],
    ['another port', { _csrf: token }, { origin: 'http://studio.test:81' }],
    ['another scheme', { _csrf: token }, { origin: 'https://studio.test' }],
    ['a longer host', { _csrf: token }, { origin: 'http://studio.test.evil.example' }],
    ['no origin', { _csrf: token }, { origin: 'null', 'sec-fetch-site': undefined }],
    ['neither header', { _csrf: token }, { origin: undefined, 'sec-fetch-site': undefined }],
    ['cross-site', { _csrf: token }, { 'sec-fetch-site': 'cross-site' }],
    ['same-site', { _csrf: token }, { 'sec-fetch-site': 'same-site' }],
    ['typed', { _csrf: token }, { 'sec-fetch-site': 'none' }],
    ['an API key', { _csrf: token }, { authorization: 'Bearer tsk_x' }],
    ['an agent', { _csrf: token }, { 'signature-agent': '"https://agent.example"' }],
  ];
  for (const path of [
    `/console/bookings/${id}/cancel`,
    '/console/sign-out',
    '/console/sign-ins/end-others',
    '/console/calendars/feeds',
    '/console/calendars/watched',
  ]) {
    for (const [name, fields, headers] of cases) {
      const answer = await ada.post(path, fields, headers);
      t.equal(answer.statusCode, 403, `${path}: ${name}`);
      t.notMatch(answer.headers['set-cookie'], /./, name);
    }
    const late = await gone.post(path, { _csrf: goners });
    t.equal(late.statusCode, 401, 'after the sign-out');
  }
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
    const answer = await ada.post('/console/sign-out', { _csrf: token }, { 'content-type': type });
    t.equal(answer.statusCode, 415, type);
  }
  for (const [url, location] of [
    [`/console/bookings/${id}/cancel?_csrf=${token}`, `/console/bookings/${id}`],
    ['/console/sign-out', '/console'],
  ] as const) {
    const opened = await ada.get(url);
    t.match(opened, { statusCode: 303, headers: { location } }, 'opened, not posted');
  }
  t.strictSame(await stored(), before);
  const seen = { sequence: String(before.bookings[0]?.sequence), missed: 'no' };
  const cancelled = await ada.post(`/console/bookings/${id}/cancel`, seen);
  t.equal(cancelled.statusCode, 303, 'a person can');
  t.notMatch(service.logLines.join('\n'), token);
});

t.test('a sign-in that comes from elsewhere is refused, and uses nothing up', async (t) => {
  const link = await consoleLink(service);
  const before = await stored();
  for (const headers of [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { authorization: 'Bearer x' },
    { 'signature-agent': '"https://agent.example"' },
  ]) {
    const { pathname } = new URL(link);
    const answer = await consoleClient(service, '').post(pathname, { _csrf: '' }, headers);
    t.equal(answer.statusCode, 403);
  }
  t.strictSame(await stored(), before);
  t.equal((await openLink(service, link)).statusCode, 303);
});
