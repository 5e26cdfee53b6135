import { join } from 'node:path';
import t from 'tap';
import { createApp } from '../../src/app.js';
import { consoleClient, consoleLink, openLink, signedIn, signIn } from '../support/console.js';
import { createTestDatabase } from '../support/database.js';
import { temporaryFolder } from '../support/embedded.js';
import { sessionForPerson } from '../support/holds.js';
import {
  addDevice,
  httpsStudio,
  passkeyRows,
  postSignIn,
  signInChallenge,
} from '../support/passkeys.js';
import { originMismatch } from '../support/service-log.js';
import { startNeighbour, startService } from '../support/service.js';
import { studioOn } from '../support/studio.js';

const hour = 3_600_000;
const service = await startService(t, httpsStudio);
const { context } = service;
const { database } = context;
service.expectLog(originMismatch);

t.beforeEach(async () => {
  await service.shiftClock(0);
  for (const table of ['console_sessions', 'passkeys', 'audit_log'] as const) {
    await database.deleteFrom(table).execute();
  }
});

t.test('a session ends after 12 hours without a request, and after 30 days', async (t) => {
  const [used, idle] = [await signIn(service), await signIn(service)];
  await service.shiftClock(11.9 * hour);
  t.equal((await used.get('/console')).statusCode, 200);
  await service.shiftClock(12.1 * hour);
  t.equal((await idle.get('/console')).statusCode, 401);
  t.equal((await used.get('/console')).statusCode, 200);
  for (let hours = 23; hours < 30 * 24; hours += 11) {
    await service.shiftClock(hours * hour);
    t.equal((await used.get('/console')).statusCode, 200);
  }
  await service.shiftClock((30 * 24 + 0.1) * hour);
  t.equal((await used.get('/console')).statusCode, 401);
  await service.shiftClock(0);
  await service.shiftClock(31 * 24 * hour);
  await signIn(service);
  t.equal((await passkeyRows(service)).sessions.length, 1, 'a sign-in deletes what has ended');
});

t.test('an open page that refreshes itself does not keep its session alive', async (t) => {
  const client = await signIn(service);
  for (const hours of [5, 11]) {
    await service.shiftClock(hours * hour);
    const refreshed = await client.get('/console', { 'console-refresh': '1' });
    t.equal(refreshed.statusCode, 200);
  }
  await service.shiftClock(12.1 * hour);
  t.equal((await client.get('/console')).statusCode, 401);
});

t.test('what ends a session ends it on every process at once', async (t) => {
  const { device, client: own } = await addDevice(t, service);
  const neighbour = await createApp(await startNeighbour(t, context));
  t.teardown(() => neighbour.close());
  const studio = studioOn(context);
  const elsewhere = async (cookie: string): Promise<number> => {
    const answer = await neighbour.inject({ url: '/console', headers: { cookie } });
    return answer.statusCode;
  };
  const [out, ended, byCommand, other] = [
    await signIn(service, 'Out'),
    await signIn(service, 'Ended'),
    await signIn(service, 'Command'),
    await signIn(service, 'Other'),
  ];
  const idOf = async (name: string) =>
    (await passkeyRows(service)).sessions.find((session) => session.name === name)!.id;
  for (const { cookie } of [out, ended, byCommand, other]) t.equal(await elsewhere(cookie), 200);

  t.equal((await out.post('/console/sign-out', { sure: 'yes' })).statusCode, 303);
  t.equal(await elsewhere(out.cookie), 401);
  await own.post(`/console/sign-ins/sessions/${await idOf('Ended')}/end`);
  t.equal(await elsewhere(ended.cookie), 401);
  await studio('console', 'sessions', 'end', (await idOf('Command')).slice(0, 8), '--yes');
  t.equal(await elsewhere(byCommand.cookie), 401);
  t.equal(await elsewhere(other.cookie), 200, 'and no other');

  const signedIn = await postSignIn(service, device.assert(await signInChallenge(service)));
  const [passkeySession] = signedIn.cookies.map(({ name, value }) => `${name}=${value}`);
  t.equal(await elsewhere(passkeySession!), 200);
  const [passkey] = (await passkeyRows(service)).passkeys;
  const listed = await studio('console', 'passkeys', 'list', '--json');
  const members = ['id', 'name', 'created_at', 'last_used_at'];
  t.strictSame(Object.keys(listed.json<object[]>()[0]!), members);
  const id = passkey!.id.slice(0, 8);
  t.match(await studio('console', 'passkeys', 'remove', id), { code: 4, stderr: /add --yes/ });
  const removed = await studio('console', 'passkeys', 'remove', id, '--yes');
  t.match(removed, { code: 0, stdout: 'Removed: Ada’s phone. Signed out: 1 session.\n' });
  t.equal(await elsewhere(passkeySession!), 401);
  t.match(await studio('console', 'passkeys', 'remove', id, '--yes'), { code: 3 });
  t.match(await studio('console', 'passkeys', 'list'), { stdout: 'No passkeys.\n' });
  const refused = await postSignIn(service, device.assert(await signInChallenge(service)));
  t.equal(refused.statusCode, 401);

  await own.post('/console/sign-ins/end-others');
  t.equal(await elsewhere(other.cookie), 401);
  t.equal(await elsewhere(own.cookie), 200);
  await studio('console', 'sessions', 'end', '--all', '--yes');
  t.equal(await elsewhere(own.cookie), 401);
  const actions = (await passkeyRows(service)).audit.map(({ action }) => action);
  t.equal(actions.filter((action) => action === 'console sessions end').length, 5);
  t.equal(actions.filter((action) => action === 'console passkeys remove').length, 1);
});

t.test('the page shows who is signed in, and ends one session or all others', async (t) => {
  const [ada, mallory, phone] = [
    await signedIn(service),
    await signedIn(service, 'Mallory'),
    await signedIn(service, 'Ada’s phone'),
  ];
  await ada.follow('Sign-ins');
  t.match(ada.text('.sign-ins'), /Ada’s phone.*Mallory.*Ada \(this one\)/);
  await ada.press('Sign out Mallory');
  t.ok(ada.text('[role=status]'));
  t.equal(await mallory.open('/console/audit'), 401);
  t.equal(await phone.open('/console/audit'), 200);
  await ada.press('Sign out all others');
  t.match(ada.text('[role=status]'), 'All others are signed out.');
  t.equal(await phone.open('/console/audit'), 401);
  t.notMatch(ada.texts('button').join(), 'all others');
});

t.test('a restore signs everybody out and drops links, and keeps the passkeys', async (t) => {
  const { client, device } = await addDevice(t, service);
  const link = await consoleLink(service);
  const file = join(await temporaryFolder(t), 'studio.backup');
  t.match(await studioOn(context)('backup', file), { code: 0 });
  const { connectionString } = await createTestDatabase(t);
  const { databaseUrl: _, ...others } = service.context.config;
  const fresh = studioOn({ config: { ...others, databaseUrl: connectionString } });
  t.match(await fresh('restore', file, '--yes'), { code: 0 });

  const restored = await startService(t, { ...httpsStudio, DATABASE_URL: connectionString });
  const { sessions, passkeys } = await passkeyRows(restored);
  t.strictSame(sessions, []);
  t.match(passkeys, [{ name: 'Ada’s phone' }]);
  t.equal((await consoleClient(restored, client.cookie).get('/console')).statusCode, 401);
  t.equal((await openLink(restored, link)).statusCode, 401);
  const answer = await postSignIn(restored, device.assert(await signInChallenge(restored)));
  t.equal(answer.statusCode, 303);
});

/** What a post could change. */
async function stored() {
  const { sessions, audit } = await passkeyRows(service);
  const bookings = await database.selectFrom('bookings').select(['status', 'sequence']).execute();
  return { bookings, audit, sessions: sessions.map(({ id }) => id).toSorted() };
}

t.test('a post that no person made on a page of its session does nothing', async (t) => {
  const { id } = await sessionForPerson(service);
  const [ada, bob, gone] = [await signIn(service), await signIn(service), await signIn(service)];
  const [token, bobs, goners] = [await ada.token(), await bob.token(), await gone.token()];
  await gone.post('/console/sign-out', { sure: 'yes' });
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
    ['another port', { _csrf: token }, { origin: 'https://studio.test:81' }],
    ['another scheme', { _csrf: token }, { origin: 'http://studio.test' }],
    ['a longer host', { _csrf: token }, { origin: 'https://studio.test.evil.example' }],
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
    '/console/artists',
    '/console/artists/artist/hidden',
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
  const seen = { sequence: String(before.bookings[0]?.sequence), missed: 'no', reason: '' };
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
