import { randomBytes } from 'node:crypto';
import t from 'tap';
import { createApp } from '../../src/app.js';
import { createChallenge } from '../../src/access/passkey-challenges.js';
import { createKeyring } from '../../src/platform/keyring.js';
import { cookieOf, signIn } from '../support/console.js';
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
import { startNeighbour, startTestService } from '../support/service.js';

const minute = 60_000;

void t.test(
  'a sign-in is refused unless a passkey of here signed for here, with its person',
  async (t) => {
    const { service, client, device } = await startPasskeys(t);
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
  },
);

void t.test('a challenge signs in once on any process, and within 5 minutes', async (t) => {
  const { service, device } = await startPasskeys(t);
  const neighbour = await createApp(await startNeighbour(t, service.context));
  t.teardown(() => neighbour.close());
  const credential = device.assert(await signInChallenge(service), { counter: 0 });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      postSignIn(service, credential, { app: index % 2 === 0 ? service.app : neighbour }),
    ),
  );
  t.strictSame(
    answers.map(({ statusCode }) => statusCode),
    Array(10).fill(401),
    'a counter that goes back',
  );
  const [first, second] = [
    await signInChallenge(service),
    await signInChallenge({ app: neighbour }),
  ];
  device.assert('', { counter: 10 });
  const replayed = device.assert(first);
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      postSignIn(service, replayed, { app: index % 2 === 0 ? service.app : neighbour }),
    ),
  );
  t.strictSame(replies.map(({ statusCode }) => statusCode).sort(), [
    303,
    ...Array<number>(9).fill(401),
  ]);
  t.equal((await postSignIn(service, device.assert(first))).statusCode, 401, 'signed again');
  await service.shiftClock(5.1 * minute);
  t.equal((await postSignIn(service, device.assert(second))).statusCode, 401, 'too late');
  t.equal((await postSignIn(service, device.assert(first))).statusCode, 401, 'still used');
  const third = await postSignIn(
    service,
    device.assert(await signInChallenge({ app: service.app })),
  );
  t.equal(third.statusCode, 303);
  t.equal((await passkeyRows(service)).used.length, 1, 'expired ones are deleted');
});

void t.test('the replay of a passkey without a counter is refused, too', async (t) => {
  const service = await startTestService(t, httpsStudio);
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
