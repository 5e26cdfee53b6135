import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { HTTPMethods } from 'fastify';
import t from 'tap';
import { document } from '../../generated/document.js';
import { publicErrorCodes } from '../../src/errors.js';
import { dropDatabase } from '../support/database.js';
import { lostDatabase } from '../support/service-log.js';
import { startTestService } from '../support/service.js';
import { sendBytes } from '../support/wire.js';

interface ErrorBody {
  error: { code: string; message: string; request_id: string; details?: unknown[] };
}

/** What the service answers to bytes that are no proper request. */
async function raw(
  url: string,
  bytes: string,
): Promise<{ status: number; head: string; error: ErrorBody['error'] }> {
  const { status, head, body } = await sendBytes(url, bytes);
  return { status, head, error: (JSON.parse(body) as ErrorBody).error };
}

const service = await startTestService(t);

t.test('the catalogue of errors and the contract name the same codes', async (t) => {
  const contract = document.components.schemas['ErrorCode']?.['enum'];
  t.strictSame([...(contract as string[])].sort(), [...publicErrorCodes].sort());
});

t.test('errors of path, method and query have the envelope', async (t) => {
  const { app } = service;
  const cases = [
    ['GET', '/nowhere', 404, 'not_found'],
    ['GET', '/api/public/bookings', 404, 'not_found'],
    ['POST', '/api/public/nowhere', 404, 'not_found'],
    ['GET', '/api/public/bookings/42', 404, 'booking_not_found'],
    ['GET', '/api/public/bookings/00000000-0000-4000-8000-000000000000', 404, 'booking_not_found'],
    ['GET', '/api/public/bookings/%ff', 404, 'booking_not_found'],
    ['GET', '/api/public/bookings/%E0%A4%A', 404, 'booking_not_found'],
    ['GET', '/api/public/bookings/%', 404, 'booking_not_found'],
    ['GET', `/api/public/bookings/${'%ff'.repeat(1_300)}`, 404, 'booking_not_found'],
    ['GET', '/api/public/%ff', 404, 'not_found'],
    ['GET', '/nowhere/%zz?x=%', 404, 'not_found'],
    ['GET', `/api/public/bookings/${'x'.repeat(3_000)}`, 404, 'booking_not_found'],
    ['GET', `/api/public/studio?${'x'.repeat(5_000)}`, 414, 'uri_too_long'],
    ['GET', `/api/public/bookings/${'x'.repeat(5_000)}`, 414, 'uri_too_long'],
    ['POST', '/api/public/studio', 405, 'method_not_allowed'],
    ['DELETE', '/api/public/holds', 405, 'method_not_allowed'],
    ['GET', '/api/public/holds', 405, 'method_not_allowed'],
    ['PUT', '/checkout/abc', 405, 'method_not_allowed'],
    ['PROPFIND', '/api/public/studio', 405, 'method_not_allowed'],
    ['QUERY', '/api/public/availability', 405, 'method_not_allowed'],
    ['PURGE', '/checkout/abc', 405, 'method_not_allowed'],
    ['PROPFIND', '/api/public/nowhere', 404, 'not_found'],
    ['GET', '/api/public/availability', 400, 'invalid_request'],
    ['GET', '/api/public/availability?from=2026-12-01&to=2026-11-30', 400, 'invalid_request'],
    ['GET', '/api/public/availability?from=2026-12-01&to=2027-01-02', 400, 'invalid_request'],
    ['GET', '/api/public/availability?from=2026-02-30&to=2026-03-02', 400, 'invalid_request'],
    ['GET', '/api/public/availability?from=0000-12-31&to=0001-01-02', 400, 'invalid_request'],
    ['GET', '/api/public/availability?from=2026-12-01&to=2026-12-02&x=1', 400, 'invalid_request'],
    [
      'GET',
      '/api/public/availability?from=2026-12-01&from=2026-12-01&to=2026-12-02',
      400,
      'invalid_request',
    ],
  ] as const;
  for (const [method, url, status, code] of cases) {
    const answer = await app.inject({ method: method as HTTPMethods, url });
    const name = `${method} ${url.slice(0, 80)}`;
    t.equal(answer.statusCode, status, name);
    t.equal(answer.json<ErrorBody>().error.code, code, name);
    t.ok(answer.json<ErrorBody>().error.request_id, name);
    if (status === 405) t.ok(answer.headers.allow, name);
  }
});

t.test('the message itself names the first three members that are wrong', async (t) => {
  const { app } = service;
  const answer = await app.inject({ method: 'POST', url: '/api/public/holds', payload: {} });
  t.equal(
    answer.json<ErrorBody>().error.message,
    'The request is not valid: body.date is required and missing; body.time_slot is required and missing; body.name is required and missing; and more. Correct the members named in details and send it again.',
  );
});

t.test('errors of the HTTP parser have the envelope', async (t) => {
  const { url } = service;
  const malformed = await raw(url, 'NONSENSE\r\n\r\n');
  t.match(malformed, { status: 400, error: { code: 'invalid_request' } });
  const large = await raw(url, `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`);
  t.match(large, { status: 431, error: { code: 'headers_too_large' } });
  const slow = await raw(url, 'GET / HTTP/1.1\r\nhost: x\r\n');
  t.match(slow, { status: 408, error: { code: 'request_timeout' } });
});

t.test('requests that Node would reject without a body get the envelope', async (t) => {
  const { url } = service;
  const end = 'connection: close\r\n\r\n';
  const hostless = await raw(url, `GET /healthz HTTP/1.1\r\n${end}`);
  t.match(hostless, {
    status: 400,
    error: { code: 'invalid_request', message: /header\.host is/ },
  });
  const nowhere = `GET /nowhere HTTP/1.1\r\nhost: x\r\nexpect: a-miracle\r\n${end}`;
  t.match(await raw(url, nowhere), { status: 404, error: { code: 'not_found' } });
  const old = await raw(url, 'GET /nowhere HTTP/1.0\r\n\r\n');
  t.match(old, { status: 404 }, 'HTTP/1.0 knows no hosts');
});

t.test('a request target other than a path gets 404', async (t) => {
  const { url } = service;
  const end = 'host: x\r\nconnection: close\r\n\r\n';
  for (const line of ['OPTIONS *', 'GET *', 'GET http:///healthz', 'GET ftp://x/healthz']) {
    const answer = await raw(url, `${line} HTTP/1.1\r\n${end}`);
    t.match(answer, { status: 404, error: { code: 'not_found' } }, line);
  }
  const unreadable = await raw(url, `GET http://x/api/public/bookings/%ff HTTP/1.1\r\n${end}`);
  t.match(unreadable, { status: 404, error: { code: 'booking_not_found' } }, 'absolute form');
});

t.test('a repeated single-value header is rejected by name', async (t) => {
  const { url } = service;
  for (const name of [
    'Host',
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'Last-Event-ID',
  ]) {
    const host = name === 'Host' ? '' : 'host: x\r\n';
    for (const values of [
      ['a', 'b'],
      ['a', 'a'],
    ]) {
      const twice = values.map((value) => `${name}: ${value}\r\n`).join('x-between: 1\r\n');
      const answer = await raw(
        url,
        `GET /nowhere HTTP/1.1\r\n${host}${twice}connection: close\r\n\r\n`,
      );
      t.equal(answer.status, 400, name);
      t.match(answer.error, {
        code: 'invalid_request',
        details: [{ path: `header.${name.toLowerCase()}`, message: 'must be sent once' }],
      });
    }
  }
  const lists = 'accept: a/b\r\naccept: */*\r\nprefer: wait=0\r\nprefer: wait=1\r\n';
  const listed = await raw(
    url,
    `GET /nowhere HTTP/1.1\r\nhost: x\r\n${lists}connection: close\r\n\r\n`,
  );
  t.equal(listed.status, 404, 'a list may be sent in parts');
});

t.test('CONNECT gets 405 with the methods that the service has', async (t) => {
  const { url } = service;
  const tunnel = 'CONNECT studio.test:443 HTTP/1.1\r\nhost: studio.test:443\r\n\r\n';
  const answer = await raw(url, tunnel);
  t.match(answer, { status: 405, error: { code: 'method_not_allowed' } });
  t.match(answer.head, /^allow: DELETE, GET, HEAD, OPTIONS, POST$/m);
});

t.test('the connection of a CONNECT is closed though its client never closes it', async (t) => {
  const { app, url } = service;
  const accepted = once(app.server, 'connection') as Promise<[Socket]>;
  const port = Number(new URL(url).port);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.teardown(() => socket.destroy());
  const [connection] = await accepted;
  const closed = once(connection, 'close');
  socket.resume().write('CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n');
  await closed;
});

t.test('an upgrade request is answered like any other', async (t) => {
  const { url } = service;
  for (const protocol of ['websocket', 'h2c']) {
    const fields = `host: x\r\nupgrade: ${protocol}\r\nconnection: upgrade, close\r\n`;
    const answer = await raw(url, `GET /nowhere HTTP/1.1\r\n${fields}\r\n`);
    t.match(answer, { status: 404, error: { code: 'not_found' } }, protocol);
  }
});

t.test('an unexpected error is a 500 with the envelope and without its message', async (t) => {
  const { context, app, logLines, expectLog } = await startTestService(t);
  expectLog(/"code":"internal_error"/);
  context.board.read = () => Promise.reject(new Error('secret detail'));
  const answer = await app.inject('/api/public/availability?from=2026-12-01&to=2026-12-02');
  t.equal(answer.statusCode, 500);
  t.equal(answer.json<ErrorBody>().error.code, 'internal_error');
  t.notMatch(answer.body, 'secret detail');
  t.match(logLines.join(''), 'secret detail', 'the log knows');
});

t.test('an unavailable database is a 503 with Retry-After', async (t) => {
  const { context, app, expectLog } = await startTestService(t);
  expectLog(lostDatabase, /"code":"service_unavailable"/);
  await dropDatabase(new URL(context.connection.connectionString!).pathname.slice(1));
  const answer = await app.inject('/api/public/bookings/00000000-0000-4000-8000-000000000000');
  t.equal(answer.statusCode, 503);
  t.equal(answer.json<ErrorBody>().error.code, 'service_unavailable');
  t.ok(Number(answer.headers['retry-after']) >= 1);
});
