import { METHODS } from 'node:http';
import type { LightMyRequestResponse } from 'fastify';
import t from 'tap';
import { createApp } from '../../src/app.js';
import type { AuditAction } from '../../src/database/rows/schema.js';
import { sha256 } from '../../src/secrets/keyring.js';
import { createCredential } from '../../src/secrets/tokens.js';
import { consoleClient, consoleLink, openLink, signIn } from '../support/console.js';
import { cookieOf, postForm } from '../support/forms.js';
import { generous, startNeighbour, startService } from '../support/service.js';

const minute = 60_000;
const service = await startService(t, { ...generous, PUBLIC_BASE_URL: 'http://localhost' });
const { app, context, shiftClock } = service;
const { database } = context;

t.beforeEach(async () => {
  await shiftClock(0);
  await database.deleteFrom('console_sessions').execute();
  await database.deleteFrom('audit_log').execute();
});

const allSessions = () => database.selectFrom('console_sessions').selectAll().execute();

async function audited(action: AuditAction) {
  const rows = await database
    .selectFrom('audit_log')
    .select(['actor', 'details'])
    .where('action', '=', action)
    .execute();
  return rows.map(({ actor, details }) => ({ actor, details }));
}

t.test('a link signs in once, also when two processes get it twenty times at once', async (t) => {
  const neighbour = await createApp(await startNeighbour(t, context));
  t.teardown(() => neighbour.close());
  const link = await consoleLink(service);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      openLink(service, link, { app: index % 2 === 0 ? app : neighbour }),
    ),
  );
  const statuses = answers.map(({ statusCode }) => statusCode).sort();
  t.strictSame(statuses, [303, ...Array.from({ length: 19 }, () => 401)]);
  t.equal((await allSessions()).length, 1);
  t.equal(answers.filter((answer) => cookieOf(answer) !== '').length, 1);
  const later = await openLink(service, link);
  t.match(later, { statusCode: 401, body: /This link has been used/ });
  t.equal(cookieOf(later), '');
  t.equal((await audited('console sign-in')).length, 1);
  t.equal((await audited('console sign-in refused')).length, 20);
  const token = new URL(link).pathname.split('/').at(-1)!;
  t.notMatch(service.logLines.join('\n'), token);
});

t.test('a link signs in for 15 minutes, and opening it burns nothing', async (t) => {
  const [link, late] = [await consoleLink(service), await consoleLink(service)];
  for (const method of ['GET', 'HEAD', 'GET'] as const) {
    const { pathname: url } = new URL(link);
    const answer = await app.inject({ method, url, headers: { accept: 'text/html' } });
    t.equal(answer.statusCode, 200);
    t.equal(cookieOf(answer), '');
    t.match(answer.headers, { 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });
  }
  t.strictSame(await allSessions(), []);
  await shiftClock(14.9 * minute);
  t.equal((await openLink(service, link)).statusCode, 303);
  await shiftClock(15.1 * minute);
  t.equal((await openLink(service, late)).statusCode, 401);
  t.equal((await allSessions()).length, 1);
});

t.test('a cookie that was set before the sign-in is worth nothing after it', async (t) => {
  const stolen = await signIn(service, 'Mallory');
  const invented = `console=${createCredential('tss')}`;
  for (const fixed of [stolen.cookie, invented]) {
    const answer = await openLink(service, await consoleLink(service), { cookie: fixed });
    t.equal(answer.statusCode, 303);
    t.not(cookieOf(answer), fixed);
    t.equal((await consoleClient(service, cookieOf(answer)).get('/console')).statusCode, 200);
    t.equal((await consoleClient(service, fixed).get('/console')).statusCode, 401);
  }
  t.equal((await allSessions()).length, 2, 'Mallory’s has ended');
  t.match(await audited('console sessions end'), [{ actor: /^Mallory \(console / }]);
});

t.test('the cookie is for this host, and for no script and no other site', async (t) => {
  const [cookie] = (await openLink(service, await consoleLink(service))).cookies;
  const attributes = { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 30 * 24 * 3_600 };
  t.match(cookie, { name: 'console', ...attributes });
  t.equal(cookie!.secure, undefined);
  const secure = await startService(t, {
    ...generous,
    PUBLIC_BASE_URL: 'https://studio.test',
  });
  const answer = await openLink(secure, await consoleLink(secure));
  t.match(answer.cookies[0], { name: '__Host-console', secure: true, ...attributes });
  t.equal(answer.cookies[0]!.domain, undefined);
  const client = consoleClient(secure, cookieOf(answer));
  t.equal((await client.get('/console')).statusCode, 200);
  const renamed = client.cookie.replace('__Host-', '');
  t.equal((await consoleClient(secure, renamed).get('/console')).statusCode, 401);
  const out = await client.post('/console/sign-out', { sure: 'yes' });
  t.match(out.cookies[0], {
    name: '__Host-console',
    value: '',
    maxAge: 0,
    secure: true,
    path: '/',
  });
});

/** What an answer tells beside its id, its date and the limits. */
function shown({ statusCode, headers, body }: LightMyRequestResponse) {
  const kept = Object.entries(headers).filter(
    ([name]) => !/^(date|x-request-id|ratelimit.*|x-ratelimit.*)$/.test(name),
  );
  return JSON.stringify([statusCode, kept.sort(), body.replace(/"request_id":"[^"]+"/, '')]);
}

t.test('the address of a form is not taken for that of a page', async (t) => {
  const ada = await signIn(service);
  for (const path of ['/console/sign-in/passkey', '/console/webhooks/redeliver']) {
    t.equal((await app.inject({ url: path })).statusCode, 401, `${path}, signed out`);
    t.match(await ada.get(path), { statusCode: 303, headers: { location: '/console' } });
    t.match(await ada.get(path, { accept: 'application/json' }), {
      statusCode: 405,
      headers: { allow: 'POST' },
    });
  }
});

t.test('without a session, every address of the console answers alike', async (t) => {
  const id = crypto.randomUUID();
  const paths = `/console /console/ /console?date=2026-12-01 /console/bookings
    /console/bookings/${id} /console/bookings/${id}/cancel /console/bookings/x /console/sign-out
    /console/sign-in /console/sign-ins /console/sign-ins/passkey-options
    /console/sign-ins/passkeys/${id}/remove /console/nothing/at/all?x=%00 /console/%252e%252e
    /console/sign-in%2fx /console/%ff /console/..;/x /console//x`.split(/\s+/);
  const bodies: [string, string | undefined][] = [
    ['application/x-www-form-urlencoded', '_csrf=x'],
    ['application/json', '{'],
    ['multipart/form-data; boundary=x', 'x'],
    ['', undefined],
    ['nonsense', 'x'.repeat(70_000)],
  ];
  const cookies = [undefined, 'console=x', `console=${createCredential('tss')}`, 'console'];
  const others = METHODS.filter((method) => method !== 'CONNECT' && method !== 'HEAD');
  for (const accept of ['text/html', '*/*']) {
    const answers = new Set<string>();
    const heads = new Set<string>();
    const ask = async (method: string, url: string, index: number) => {
      const [type, payload] = bodies[index % bodies.length]!;
      const cookie = cookies[index % cookies.length];
      const answer = await app.inject({
        method: method as 'GET',
        url,
        // The budget of pages is per address.
        remoteAddress: `10.0.${index >> 8}.${index & 255}`,
        headers: {
          accept,
          ...(type !== '' && { 'content-type': type }),
          ...(cookie !== undefined && { cookie }),
          ...(index % 3 === 0 && { origin: 'https://evil.example', authorization: 'Bearer x' }),
        },
        ...(payload !== undefined && { payload }),
      });
      (method === 'HEAD' ? heads : answers).add(shown(answer));
    };
    let index = 0;
    for (const url of paths) {
      for (const method of [...others, 'HEAD']) await ask(method, url, (index += 1));
    }
    await ask('GET', '/console/sign-in/passkey', (index += 1));
    await ask('POST', '/console/sign-in/passkey-options', (index += 1));
    for (const method of others) {
      if (method === 'GET' || method === 'POST') continue;
      await ask(method, `/console/sign-in/${createCredential('tsl')}`, (index += 1));
      await ask(method, '/console/sign-in/passkey', (index += 1));
    }
    t.equal(answers.size, 1, [...answers].join('\n'));
    t.equal(heads.size, 1, [...heads].join('\n'));
    t.match([...answers][0], /^\[401,/);
    t.match([...heads][0], /^\[401,/);
  }
});

t.test('a malformed token costs no query, and only hashes are stored and looked up', async (t) => {
  const { cookie } = await signIn(service);
  const good = cookie.slice('console='.length);
  const [session] = await allSessions();
  t.ok(session!.session_hash.equals(sha256(good)));
  const asked: string[] = [];
  const executor = database.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  executor.executeQuery = (query, ...rest) => {
    asked.push(JSON.stringify([query.sql, query.parameters]));
    return execute(query, ...rest);
  };
  const open = async (token: string) => {
    const { statusCode } = await consoleClient(service, `console=${token}`).get('/console');
    t.equal(statusCode, 401);
    return asked.filter((each) => each.includes('console_'));
  };
  const wrong = good.slice(0, -1) + (good.at(-1) === 'x' ? 'y' : 'x');
  for (const malformed of ['', 'x', good.slice(1), `${good}x`, wrong, good.replace('tss', 'tsl')]) {
    t.strictSame(await open(malformed), []);
  }
  const unknown = createCredential('tss');
  const queries = await open(unknown);
  executor.executeQuery = execute;
  t.match(queries, [/session_hash = \$/]);
  t.equal(queries.length, 1);
  t.notMatch(queries.join(), unknown);
});

t.test('refused sign-ins are audited, at most 100 an hour', async (t) => {
  const url = `/console/sign-in/${createCredential('tsl')}`;
  const knock = (remoteAddress: string) =>
    postForm(service, url, '', {
      headers: { 'sec-fetch-site': 'same-origin' },
      from: remoteAddress,
    });
  for (let index = 0; index < 105; index += 1) await knock(`10.0.0.${index}`);
  const refused = await audited('console sign-in refused');
  t.equal(refused.length, 100);
  t.match(refused[0], { actor: 'an unknown visitor', details: { with: 'link' } });
  await shiftClock(61 * minute);
  await knock('10.0.0.1');
  t.equal((await audited('console sign-in refused')).length, 101);
});
