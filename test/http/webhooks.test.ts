import t from 'tap';
import { startService } from '../support/service.js';
import { ask, subscribe, target } from '../support/webhook-requests.js';
const service = await startService(t);

t.test('a subscription is created, read and deleted with its manage token', async (t) => {
  const created = await subscribe(service, { url: target, events: ['hold.expired'] });
  const headers = { 'cache-control': 'no-store' };
  t.match(created, { status: 201, headers });
  const { signing_secret, manage_token, ...shown } = created.body.data;
  t.match(shown, { url: target, events: ['hold.expired'], status: 'active' });
  t.match(signing_secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  t.match(manage_token, /^tsm_[0-9A-Za-z]{38}$/);

  const read = await ask(service, 'GET', { token: manage_token });
  t.match(read, { status: 200, headers });
  const state = { disabled_reason: null, skipped: 0, recent_deliveries: [] };
  t.strictSame(read.body.data, { ...shown, ...state });

  const remove = () => ask(service, 'DELETE', { token: manage_token });
  const data = { id: shown.id, deleted: true };
  t.match(await remove(), { status: 200, body: { data } });
  t.match(await remove(), { status: 404, body: { error: { code: 'subscription_not_found' } } });
  t.equal((await ask(service, 'GET', { token: manage_token })).status, 401);

  const all = (await subscribe(service)).body.data.events;
  t.strictSame(all, ['hold.created', 'booking.confirmed', 'hold.expired'], 'where none are named');
});

t.test('a subscription is deleted whatever body or content type the client adds', async (t) => {
  for (const [type, payload] of [
    ['application/json', ''],
    ['application/json', '{'],
    ['text/plain', 'x'.repeat(100_000)],
    ['nonsense', 'x'],
  ] as const) {
    const { manage_token } = (await subscribe(service)).body.data;
    const answer = await service.app.inject({
      method: 'DELETE',
      url: '/api/public/webhooks',
      headers: { authorization: `Bearer ${manage_token}`, 'content-type': type },
      payload,
    });
    t.equal(answer.statusCode, 200, `${type} ${payload.slice(0, 5)}`);
  }
});

t.test('an invalid request is rejected with its members, and costs a read', async (t) => {
  const events = ['hold.created'];
  for (const [body, path] of [
    [{}, 'body.url'],
    [{ url: 1 }, 'body.url'],
    [{ url: 'not an address' }, 'body.url'],
    [{ url: 'http://8.8.8.8/' }, 'body.url'],
    [{ url: 'https://127.1/' }, 'body.url'],
    [{ url: 'https://user:secret@8.8.8.8/' }, 'body.url'],
    [{ url: 'https://8.8.8.8:22/' }, 'body.url'],
    [{ url: `https://8.8.8.8/${'a'.repeat(2048)}` }, 'body.url'],
    [{ url: target, events: [] }, 'body.events'],
    [{ url: target, events: [...events, ...events] }, 'body.events'],
    [{ url: target, events: ['booking.cancelled'] }, 'body.events[0]'],
    [{ url: target, events: null }, 'body.events'],
    [{ url: target, secret: 'x' }, 'body.secret'],
  ] as const) {
    const error = { code: 'invalid_request', details: [{ path }] };
    const refusal = { status: 400, headers: { 'ratelimit-policy': /^"reads"/ }, body: { error } };
    t.match(await subscribe(service, body), refusal, JSON.stringify(body));
  }
});

t.test('a token that is missing, mistyped, unknown or of another kind is rejected', async (t) => {
  const { manage_token } = (await subscribe(service)).body.data;
  const swapped = manage_token.endsWith('0') ? '1' : '0';
  const mistyped = manage_token.slice(0, -1) + swapped;
  for (const method of ['GET', 'DELETE'] as const) {
    const unknown =
      method === 'GET' ? [401, 'manage_token_invalid'] : [404, 'subscription_not_found'];
    for (const [token, [status, code]] of [
      [undefined, [401, 'manage_token_missing']],
      ...[mistyped, manage_token.replace('tsm_', 'tsk_'), 'x'.repeat(5000)].map(
        (wrong) => [wrong, unknown] as const,
      ),
    ] as const) {
      const refused = await ask(service, method, token === undefined ? {} : { token });
      t.match(refused, { status, body: { error: { code } } });
      t.notOk('www-authenticate' in refused.headers);
    }
  }
  t.equal((await ask(service, 'GET', { token: manage_token })).status, 200, 'nothing was deleted');
});

t.test('at rest the signing secret is sealed and the manage token hashed', async (t) => {
  const { id, signing_secret, manage_token } = (await subscribe(service)).body.data;
  const { rows } = await service.context.pool.query(
    'select * from webhook_subscriptions where id = $1',
    [id],
  );
  const [row] = rows;
  const stored = Object.values(row)
    .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
    .join('\n');
  const bare = Buffer.from(signing_secret.slice(6), 'base64').toString('latin1');
  for (const secret of [signing_secret, bare, manage_token, manage_token.slice(4), '192.0.2.1']) {
    t.notOk(stored.includes(secret));
  }
  t.notOk(service.logLines.some((line) => line.includes(manage_token)));
});
