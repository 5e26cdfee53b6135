import { randomBytes } from 'node:crypto';
import t from 'tap';
import { createChallenge } from '../../src/access/passkey-challenges.js';
import { createApp } from '../../src/app.js';
import { createKeyring } from '../../src/secrets/keyring.js';
import { consoleClient, signIn } from '../support/console.js';
import { cookieOf } from '../support/forms.js';
import {
  createDevice,
  addDevice,
  httpsStudio,
  passkeyRows,
  postPasskey,
  postSignIn,
  publicBaseUrl,
  registrationChallenge,
  signInChallenge,
} from '../support/passkeys.js';
import { generous, startNeighbour, startService } from '../support/service.js';

const minute = 60_000;
const service = await startService(t, httpsStudio);
const { database } = service.context;

t.beforeEach(async () => {
  await service.shiftClock(0);
  for (const table of ['console_sessions', 'passkeys', 'used_challenges', 'audit_log'] as const) {
    await database.deleteFrom(table).execute();
  }
});

t.test('a passkey signs in, names its sessions, and is audited', async (t) => {
  const { device } = await addDevice(t, service);
  const before = await passkeyRows(service);
  t.match(before.passkeys, [{ name: 'Ada’s phone', transports: ['internal'], last_used_at: null }]);
  t.match(before.audit.at(-1), { actor: /^Ada \(console /, action: 'console passkeys add' });
  const answer = await postSignIn(service, device.assert(await signInChallenge(service)));
  t.match(answer, { statusCode: 303, headers: { location: '/console' } });
  const client = consoleClient(service, cookieOf(answer));
  t.match(await client.get('/console'), { statusCode: 200, body: /Ada’s phone/ });
  const { passkeys, audit, sessions } = await passkeyRows(service);
  t.equal(passkeys[0]!.counter, '2');
  t.ok(passkeys[0]!.last_used_at);
  t.match(audit.at(-1), {
    actor: /^Ada’s phone \(console /,
    action: 'console sign-in',
    details: { with: 'passkey', passkey_id: passkeys[0]!.id },
  });
  t.ok(sessions.some(({ passkey_id: id }) => id === passkeys[0]!.id));
  t.notMatch(service.logLines.join('\n'), device.credentialId);
});

t.test('a passkey is added only in the session that asked, soon after its sign-in', async (t) => {
  const [ada, bob] = [await signIn(service, 'Ada'), await signIn(service, 'Bob')];
  const device = createDevice(publicBaseUrl);
  const challenge = () => registrationChallenge(ada);
  const cases: [string, string][] = [
    ['of another session', device.register(await registrationChallenge(bob))],
    ['of a sign-in', device.register(await signInChallenge(service))],
    ['invented', device.register(randomBytes(56).toString('base64url'))],
    ['no person verified', device.register(await challenge(), { verified: false })],
    ['another website', device.register(await challenge(), { origin: 'https://evil.example' })],
    ['another host', device.register(await challenge(), { rpId: 'evil.example' })],
    ['a frame', device.register(await challenge(), { crossOrigin: true })],
    ['certificates', device.register(await challenge(), { attestation: 'packed' })],
    ['valid certificates', device.register(await challenge(), { attestation: 'fido-u2f' })],
    ['a sign-in', device.assert(await challenge())],
    ['no JSON', 'x'],
  ];
  for (const [name, credential] of cases) {
    t.match(await postPasskey(ada, credential), { statusCode: 409, body: /not accepted/ }, name);
  }
  for (const name of ['', ' \0 ', 'x'.repeat(61)]) {
    t.equal((await postPasskey(ada, device.register(await challenge()), name)).statusCode, 400);
  }
  const unnamed = await ada.post('/console/sign-ins/passkeys', { credential: 'x' });
  t.equal(unnamed.statusCode, 400);
  t.strictSame((await passkeyRows(service)).passkeys, []);

  const early = await challenge();
  const credential = device.register(early);
  await service.shiftClock(10.1 * minute);
  t.equal((await ada.get('/console/sign-ins/passkey-options')).statusCode, 403);
  t.match(await ada.get('/console/sign-ins'), { body: /can be added within 10 minutes/ });
  t.match(await postPasskey(ada, credential), { statusCode: 409, body: /Sign in again to add/ });
  await service.shiftClock(0);
  t.equal((await postPasskey(ada, credential, ' Ada’s\0\n phone ')).statusCode, 303);
  t.match((await passkeyRows(service)).passkeys, [{ name: 'Ada’s phone' }]);
  const replayed = await postPasskey(ada, credential);
  t.match(replayed, { statusCode: 409, body: /not accepted/ });
  const again = device.register(await challenge());
  t.match(await postPasskey(ada, again), { statusCode: 409, body: /has been added before/ });
  const options = await ada.get('/console/sign-ins/passkey-options');
  t.match(options.json(), {
    excludeCredentials: [{ id: device.credentialId }],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    rp: { id: 'studio.test' },
  });
});

t.test('strangers learn nothing about passkeys, and store nothing', async (t) => {
  await addDevice(t, service);
  const before = await passkeyRows(service);
  const url = '/console/sign-in/passkey-options';
  const answer = await service.app.inject({ url });
  t.match(answer.headers, { 'cache-control': 'no-store', 'content-type': /^application\/json/ });
  t.equal(answer.headers['access-control-allow-origin'], undefined);
  const members = ['challenge', 'rpId', 'timeout', 'userVerification'];
  t.strictSame(Object.keys(answer.json<object>()).sort(), members);
  t.strictSame(await passkeyRows(service), before);
});

t.test('where passkeys cannot be, nothing offers or takes them', async (t) => {
  for (const url of ['http://studio.test', 'https://192.0.2.1', 'https://[2001:db8::1]']) {
    const service = await startService(t, { ...generous, PUBLIC_BASE_URL: url });
    const page = await service.app.inject({ url: '/console', headers: { accept: 'text/html' } });
    t.notMatch(page.body, /passkey|<script/);
    const client = await signIn(service);
    const own = await client.get('/console/sign-ins');
    t.match(own, { statusCode: 200, body: /Passkeys need an address that begins with https/ });
    t.equal((await client.get('/console/sign-ins/passkey-options')).statusCode, 404);
    t.equal((await postSignIn(service, '{}')).statusCode, 401);
  }
});

t.test('a sign-in leads to pages of the console only', async (t) => {
  const { device } = await addDevice(t, service);
  const pages = '/console /console/bookings/3f2a81c0 /console?date=2026-12-01 /console/sign-ins';
  const others = `x / /book /consolex //evil.example //evil.example/console /\\evil.example
    /console//evil.example /console/..//evil.example /console/../book /console/%2e%2e/book
    /console/%0d%0ax /console\\evil /console#x https://evil.example/console javascript:alert(1)
    /console/sign-in/tsl_x /console/sign-in`.split(/\s+/);
  const odd = ['', '/console?x=\r\nset-cookie: a', `/console?${'x'.repeat(500)}`];
  for (const next of [...pages.split(' '), ...others, ...odd]) {
    const credential = device.assert(await signInChallenge(service));
    const { headers } = await postSignIn(service, credential, { next });
    const isElsewhere = others.includes(next) || odd.includes(next);
    t.equal(headers.location, isElsewhere ? '/console' : next, next);
  }
});

t.test('a sign-in needs a passkey of here that signed for here, with its person', async (t) => {
  const { client, device } = await addDevice(t, service);
  const stranger = createDevice(publicBaseUrl);
  const challenge = () => signInChallenge(service);
  const valid = device.assert(await challenge());
  const changed = (change: (credential: Record<string, unknown>) => void): string => {
    const credential = JSON.parse(valid) as Record<string, unknown>;
    change(credential);
    return JSON.stringify(credential);
  };
  const bytes = Buffer.from(await challenge(), 'base64url');
  bytes[20]! ^= 1;
  const foreign = { keyring: createKeyring('x'.repeat(40)), clock: service.context.clock };
  const cases: [string, string][] = [
    ['no person verified', device.assert(await challenge(), { verified: false })],
    ['another website', device.assert(await challenge(), { origin: 'https://evil.example' })],
    ['another host', device.assert(await challenge(), { rpId: 'evil.example' })],
    ['another scheme', device.assert(await challenge(), { origin: 'http://studio.test' })],
    ['a frame', device.assert(await challenge(), { crossOrigin: true })],
    ['another type', device.assert(await challenge(), { type: 'webauthn.create' })],
    ['an unknown passkey', stranger.assert(await challenge())],
    ['the counter of a copy', device.assert(await challenge(), { counter: 1 })],
    ['an invented challenge', device.assert(randomBytes(56).toString('base64url'))],
    ['a prolonged challenge', device.assert(bytes.toString('base64url'))],
    [
      'a challenge of another key',
      device.assert(createChallenge(foreign, 'sign-in').toString('base64url')),
    ],
    ['a challenge of registration', device.assert(await registrationChallenge(client))],
    ['a short challenge', device.assert('')],
    ['no JSON', '{'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['no response', changed((credential) => delete credential['response'])],
    ['an id that is no text', changed((credential) => (credential['id'] = 1))],
    ['an id with NUL', changed((credential) => (credential['id'] = 'a\0'))],
    ['the id of another', changed((credential) => (credential['id'] = stranger.credentialId))],
    ['a registration', stranger.register(await challenge())],
  ];
  const before = await passkeyRows(service);
  for (const [name, credential] of cases) {
    const answer = await postSignIn(service, credential);
    t.match(answer, { statusCode: 401, body: /This passkey was not accepted/ }, name);
    t.equal(cookieOf(answer), '', name);
  }
  const after = await passkeyRows(service);
  t.strictSame(
    [after.sessions, after.passkeys, after.used],
    [before.sessions, before.passkeys, before.used],
  );
  const refused = after.audit.slice(before.audit.length);
  t.equal(refused.length, cases.length);
  t.match(refused[0], { action: 'console sign-in refused', details: { with: 'passkey' } });
  device.assert('', { counter: 5 });
  t.equal((await postSignIn(service, device.assert(await challenge()))).statusCode, 303);
});

t.test('a challenge signs in once on any process, and within 5 minutes', async (t) => {
  const { device } = await addDevice(t, service);
  const neighbour = await createApp(await startNeighbour(t, service.context));
  t.teardown(() => neighbour.close());
  const statusesOfTen = async (credential: string): Promise<number[]> => {
    const apps = Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0 ? service.app : neighbour,
    );
    const answers = apps.map((app) => postSignIn(service, credential, { app }));
    return (await Promise.all(answers)).map(({ statusCode }) => statusCode).sort();
  };
  const goneBack = device.assert(await signInChallenge(service), { counter: 0 });
  t.strictSame(await statusesOfTen(goneBack), Array(10).fill(401), 'a counter that goes back');
  const [first, second] = [
    await signInChallenge(service),
    await signInChallenge({ app: neighbour }),
  ];
  device.assert('', { counter: 10 });
  const once = [303, ...Array<number>(9).fill(401)];
  t.strictSame(await statusesOfTen(device.assert(first)), once);
  t.equal((await postSignIn(service, device.assert(first))).statusCode, 401, 'signed again');
  await service.shiftClock(5.1 * minute);
  t.equal((await postSignIn(service, device.assert(second))).statusCode, 401, 'too late');
  t.equal((await postSignIn(service, device.assert(first))).statusCode, 401, 'still used');
  const third = await postSignIn(service, device.assert(await signInChallenge(service)));
  t.equal(third.statusCode, 303);
  t.equal((await passkeyRows(service)).used.length, 1, 'expired ones are deleted');
});

t.test('the replay of a passkey without a counter is refused, too', async (t) => {
  const client = await signIn(service);
  const device = createDevice(publicBaseUrl);
  await postPasskey(client, device.register(await registrationChallenge(client), { counter: 0 }));
  for (let round = 0; round < 2; round += 1) {
    const credential = device.assert(await signInChallenge(service), { counter: 0 });
    const answers = await Promise.all([
      postSignIn(service, credential),
      postSignIn(service, credential),
    ]);
    t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [303, 401]);
  }
});
