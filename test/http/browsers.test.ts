import t from 'tap';
import { agent } from '../support/agents.js';
import { someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';

const origin = 'https://agent.example';

const service = await startService(t);

t.test('the public interface allows every origin (CORS)', async (t) => {
  const { app, context } = await startService(t, { READS_PER_MINUTE_ANONYMOUS: '5' });
  const [slot] = await someOpenSlots(context, 1);
  const hold = await agent(app).hold(slot!);
  const answers = [hold];
  for (const url of ['studio', 'nowhere', 'bookings/42', 'availability', 'studio', 'studio']) {
    answers.push(await app.inject({ url: `/api/public/${url}`, headers: { origin } }));
  }
  t.equal(answers.at(-1)?.statusCode, 429);
  for (const { headers } of answers) {
    t.equal(headers['access-control-allow-origin'], '*');
    t.equal(headers['access-control-allow-credentials'], undefined);
    t.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    const exposed = String(headers['access-control-expose-headers']).split(', ');
    for (const name of [
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'Location',
      'Idempotency-Replayed',
      'ETag',
    ]) {
      t.ok(exposed.includes(name), `${name} is exposed`);
    }
  }
});

t.test('a page of another origin can read early errors of the public interface', async (t) => {
  const { app } = service;
  const readable = {
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  };
  for (const [url, status] of [
    ['/api/public/%E0%A4%A', 404],
    [`/api/public/studio?${'x'.repeat(5_000)}`, 414],
  ] as const) {
    const answer = await app.inject({ url, headers: { origin } });
    t.equal(answer.statusCode, status);
    t.match(answer.headers, readable);
    t.match(answer.headers['access-control-expose-headers'], /Retry-After/);
  }
  const elsewhere = await app.inject({ url: '/%E0%A4%A', headers: { origin } });
  t.equal(elsewhere.headers['access-control-allow-origin'], undefined, 'pages are for people');
});

t.test('every operation answers a CORS preflight', async (t) => {
  const { app } = service;
  for (const [method, url] of [
    ['POST', '/api/public/holds'],
    ['GET', '/api/public/bookings/0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11'],
    ['DELETE', '/api/public/webhooks'],
    ['POST', '/api/public/mcp'],
  ] as const) {
    const wanted = 'authorization, content-type, idempotency-key, prefer';
    const answer = await app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': wanted,
      },
    });
    t.equal(answer.statusCode, 204, url);
    t.equal(answer.headers['access-control-allow-origin'], '*');
    t.ok(String(answer.headers['access-control-allow-methods']).split(', ').includes(method));
    t.equal(answer.headers['access-control-allow-headers'], wanted);
    t.ok(Number(answer.headers['access-control-max-age']) > 0);
  }
  const other = await app.inject({ method: 'PUT', url: '/api/public/holds', headers: { origin } });
  t.equal(other.statusCode, 405);
  t.equal(other.headers.allow, 'POST');
});

t.test('the pages allow no other origin', async (t) => {
  const { app } = service;
  for (const method of ['GET', 'OPTIONS', 'POST'] as const) {
    for (const url of ['/', '/checkout/x', '/nowhere', '/healthz', '/docs']) {
      const headers = { origin, 'access-control-request-method': 'POST' };
      const answer = await app.inject({ method, url, headers });
      const named = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'));
      t.strictSame(named, [], `${method} ${url}`);
    }
  }
});

t.test('every response has security headers', async (t) => {
  const { app } = await startService(t, { PUBLIC_BASE_URL: 'https://studio.test' });
  for (const url of [
    '/',
    '/nowhere',
    '/%ff',
    '/checkout/x',
    '/checkout/%ff',
    '/api/public/studio',
    '/api/public/x',
    '/api/public/%ff',
  ]) {
    const { headers } = await app.inject(url);
    t.equal(headers['x-content-type-options'], 'nosniff', url);
    t.match(headers['content-security-policy'], /default-src 'none'/, url);
    t.match(headers['content-security-policy'], /frame-ancestors 'none'/, url);
    t.equal(headers['x-frame-options'], 'DENY', url);
    t.ok(headers['referrer-policy'], url);
    t.match(headers['strict-transport-security'], /^max-age=\d{8}$/, url);
    t.equal(headers['x-powered-by'], undefined);
  }
});

t.test('Strict-Transport-Security is not sent where the public address is http', async (t) => {
  const { app } = service;
  const { headers } = await app.inject('/api/public/studio');
  t.equal(headers['strict-transport-security'], undefined);
});
