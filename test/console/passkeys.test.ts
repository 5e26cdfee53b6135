import { randomBytes } from 'node:crypto';
import t from 'tap';
import { consoleClient, cookieOf, signIn } from '../support/console.js';
import { createDevice } from '../support/device.js';
import {
  httpsStudio,
  passkeyRows,
  postPasskey,
  postSignIn,
  publicBaseUrl,
  registrationChallenge,
  signInChallenge,
  startPasskeys,
} from '../support/passkeys.js';
import { generous, startTestService } from '../support/service.js';

const minute = 60_000;

void t.test('a passkey signs in, names its sessions, and is audited', async (t) => {
  const { service, device } = await startPasskeys(t);
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

void t.test(
  'a passkey is added only in the session that asked, soon after its sign-in',
  async (t) => {
    const service = await startTestService(t, httpsStudio);
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
      [
        'certificates of another format',
        device.register(await challenge(), { attestation: 'apple' }),
      ],
      ['a sign-in', device.assert(await challenge())],
      ['no JSON', 'x'],
    ];
    for (const [name, credential] of cases) {
      t.match(await postPasskey(ada, credential), { statusCode: 409, body: /not accepted/ }, name);
    }
    for (const name of ['', ' \0 ', 'x'.repeat(61)]) {
      t.equal((await postPasskey(ada, device.register(await challenge()), name)).statusCode, 400);
    }
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
    t.match(
      await postPasskey(ada, credential),
      { statusCode: 409, body: /not accepted/ },
      'replayed',
    );
    const again = device.register(await challenge());
    t.match(await postPasskey(ada, again), { statusCode: 409, body: /has been added before/ });
    const options = await ada.get('/console/sign-ins/passkey-options');
    t.match(options.json(), {
      excludeCredentials: [{ id: device.credentialId }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      rp: { id: 'studio.test' },
    });
  },
);

void t.test('strangers learn nothing about passkeys, and store nothing', async (t) => {
  const { service } = await startPasskeys(t);
  const before = await passkeyRows(service);
  const url = '/console/sign-in/passkey-options';
  const answer = await service.app.inject({ url });
  t.match(answer.headers, { 'cache-control': 'no-store', 'content-type': /^application\/json/ });
  t.equal(answer.headers['access-control-allow-origin'], undefined);
  t.strictSame(Object.keys(answer.json<object>()).sort(), [
    'challenge',
    'rpId',
    'timeout',
    'userVerification',
  ]);
  t.strictSame(await passkeyRows(service), before);
});

void t.test('where passkeys cannot be, nothing offers or takes them', async (t) => {
  for (const url of ['http://studio.test', 'https://192.0.2.1', 'https://[2001:db8::1]']) {
    const service = await startTestService(t, { ...generous, PUBLIC_BASE_URL: url });
    const page = await service.app.inject({ url: '/console', headers: { accept: 'text/html' } });
    t.notMatch(page.body, /passkey|<script/);
    const client = await signIn(service);
    const own = await client.get('/console/sign-ins');
    t.match(own, { statusCode: 200, body: /Passkeys need an address that begins with https/ });
    t.equal((await client.get('/console/sign-ins/passkey-options')).statusCode, 404);
    t.equal((await postSignIn(service, '{}')).statusCode, 401);
  }
});

void t.test('a sign-in leads to pages of the console only', async (t) => {
  const { service, device } = await startPasskeys(t);
  const pages = [
    '/console',
    '/console/bookings/3f2a81c0',
    '/console?date=2026-12-01',
    '/console/sign-ins',
  ];
  const others = [
    '',
    'x',
    '/',
    '/book',
    '/consolex',
    '//evil.example',
    '//evil.example/console',
    '/\\evil.example',
    '/console//evil.example',
    '/console/..//evil.example',
    '/console/../book',
    '/console/%2e%2e/book',
    '/console/%0d%0ax',
    '/console\\evil',
    '/console?x=\r\nset-cookie: a',
    '/console#x',
    'https://evil.example/console',
    'javascript:alert(1)',
    '/console/sign-in/tsl_x',
    '/console/sign-in',
    `/console?${'x'.repeat(500)}`,
  ];
  for (const next of [...pages, ...others]) {
    const answer = await postSignIn(service, device.assert(await signInChallenge(service)), {
      next,
    });
    t.equal(answer.headers.location, pages.includes(next) ? next : '/console', next);
  }
});
