import { load } from 'cheerio';
import t from 'tap';
import { agent } from '../support/agents.js';
import { someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { sendBytes } from '../support/wire.js';

const origin = 'https://agent.example';

const service = await startService(t);

t.test('a page of every origin can read every answer of the public interface', async (t) => {
  const { app, context } = await startService(t, { READS_PER_MINUTE_ANONYMOUS: '7' });
  const [slot] = await someOpenSlots(context, 1);
  const answers = [await agent(app).hold(slot!)];
  for (const [path, status] of [
    ['studio', 200],
    ['nowhere', 404],
    ['bookings/42', 404],
    ['availability', 400],
    ['%E0%A4%A', 404],
    [`studio?${'x'.repeat(5_000)}`, 414],
    ['studio', 200],
    ['studio', 429],
  ] as const) {
    const answer = await app.inject({ url: `/api/public/${path}`, headers: { origin } });
    t.equal(answer.statusCode, status, path);
    answers.push(answer);
  }
  for (const { headers } of answers) {
    t.equal(headers['access-control-allow-origin'], '*');
    t.equal(headers['access-control-allow-credentials'], undefined);
    t.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    const exposed = String(headers['access-control-expose-headers']).split(', ');
    const wanted = 'RateLimit RateLimit-Policy Retry-After Location Idempotency-Replayed ETag';
    for (const name of wanted.split(' ')) t.ok(exposed.includes(name), `${name} is exposed`);
  }
});

t.test('every operation answers a CORS preflight', async (t) => {
  const { app } = service;
  const wanted = 'authorization, content-type, idempotency-key, prefer';
  for (const [method, url] of [
    ['POST', '/api/public/holds'],
    ['GET', '/api/public/bookings/0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11'],
    ['DELETE', '/api/public/webhooks'],
    ['POST', '/api/public/mcp'],
  ] as const) {
    const answer = await app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': wanted,
      },
    });
    t.match(answer, {
      statusCode: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': new RegExp(`\\b${method}\\b`),
        'access-control-allow-headers': wanted,
      },
    });
    t.ok(Number(answer.headers['access-control-max-age']) > 0);
  }
  const other = await app.inject({ method: 'PUT', url: '/api/public/holds', headers: { origin } });
  t.match(other, { statusCode: 405, headers: { allow: 'POST' } });
});

t.test('a browser gets a page with ways on where there is none, others the envelope', async (t) => {
  const { app, url: base } = service;
  const html = 'text/html,application/xhtml+xml,*/*;q=0.8';
  for (const [method, url, status, title] of [
    ['GET', '/nowhere', 404, 'There is no such page'],
    ['GET', '/apiary', 404, 'There is no such page'],
    ['GET', '/%E0%A4%A', 404, 'There is no such page'],
    ['POST', '/nowhere', 404, 'There is no such page'],
    ['GET', '/checkout/unknown', 404, 'We do not know this link'],
    ['PUT', '/book', 405, 'This address shows nothing'],
    ['POST', '/checkout/', 405, 'This address shows nothing'],
    ['GET', `/book?${'x'.repeat(5_000)}`, 414, 'We did not understand that'],
    ['GET', '/api', 404, null],
    ['GET', '/api/nowhere', 404, null],
    ['GET', '/api/public/nowhere', 404, null],
    ['PUT', '/api/public/studio', 405, null],
  ] as const) {
    const name = `${method} ${url.slice(0, 40)}`;
    const payload = method === 'POST' ? { payload: {} } : {};
    const answer = await app.inject({ method, url, headers: { accept: html }, ...payload });
    t.equal(answer.statusCode, status, name);
    if (status === 405) t.match(answer.headers, { allow: /GET|POST/ }, name);
    const other = await app.inject({ method, url, headers: { accept: '*/*' }, ...payload });
    t.match(other, { statusCode: status, headers: { 'content-type': /^application\/json/ } }, name);
    if (title === null) {
      t.ok(answer.json<object>(), name);
      continue;
    }
    const $ = load(answer.body);
    t.equal($('h1').text(), title, name);
    const ways = $('main a').map((_, each) => $(each).attr('href'));
    t.strictSame(ways.get(), ['/book', '/'], name);
    t.match($('main').text(), `Reference: ${String(answer.headers['x-request-id'] ?? '')}`);
  }
  const large = (path: string, accept: string) =>
    sendBytes(
      base,
      `GET ${path} HTTP/1.1\r\naccept: ${accept}\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
    );
  const page = await large('/book', html);
  t.match(page, { status: 431, head: /^content-type: text\/html/m, body: /Delete the cookies/ });
  for (const [path, accept] of [
    ['/api/public/studio', html],
    ['/book', '*/*'],
  ] as const) {
    t.match(JSON.parse((await large(path, accept)).body), { error: { code: 'headers_too_large' } });
  }
});

t.test('the pages allow no other origin', async (t) => {
  const { app } = service;
  for (const method of ['GET', 'OPTIONS', 'POST'] as const) {
    for (const url of ['/', '/checkout/x', '/nowhere', '/%E0%A4%A', '/healthz', '/docs']) {
      const headers = { origin, 'access-control-request-method': 'POST' };
      const answer = await app.inject({ method, url, headers });
      const named = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'));
      t.strictSame(named, [], `${method} ${url}`);
    }
  }
});

t.test('every response has security headers', async (t) => {
  const { app } = await startService(t, { PUBLIC_BASE_URL: 'https://studio.test' });
  const pages = ['/', '/nowhere', '/%ff', '/checkout/x', '/checkout/%ff'];
  for (const url of [...pages, ...['studio', 'x', '%ff'].map((path) => `/api/public/${path}`)]) {
    const { headers } = await app.inject(url);
    const policy = String(headers['content-security-policy']);
    t.ok(/default-src 'none'/.test(policy) && /frame-ancestors 'none'/.test(policy), url);
    t.match(
      headers,
      {
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': /./,
        'strict-transport-security': /^max-age=\d{8}$/,
      },
      url,
    );
    t.equal(headers['x-powered-by'], undefined);
  }
  const { headers } = await service.app.inject('/api/public/studio');
  t.equal(headers['strict-transport-security'], undefined, 'where the public address is http');
});
