import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { document } from '../../generated/document.js';
import { publicErrorCodes } from '../../src/errors.js';
import { changesAdvice } from '../../src/views/booking.js';
import { standingClock } from '../support/clock.js';
import { dropDatabase } from '../support/database.js';
import { lostDatabase } from '../support/service-log.js';
import { startService } from '../support/service.js';
import { sendBytes } from '../support/wire.js';

const service = await startService(t, {}, { overrides: { clock: standingClock() } });
const { url } = service;

async function raw(bytes: string) {
  const { status, head, body } = await sendBytes(url, bytes);
  return { status, head, error: (JSON.parse(body) as { error: object }).error };
}

const api = '/api/public';
const host = 'host: x\r\n';
const json = `${host}content-type: application/json\r\n`;
const text = `${host}content-type: text/plain\r\n`;
const twoKeys = `${json}idempotency-key: a\r\nidempotency-key: b\r\n`;
const foreign = `${json}origin: https://elsewhere.example\r\n`;
const long = 'x'.repeat(5_000);
const booking = `${api}/bookings`;
const availability = `${api}/availability`;

/** Refused requests, one for each place that refuses: line, status, code, fields and body. */
const refusals: [line: string, status: number, code: string, fields?: string, body?: string][] = [
  ['GET /nowhere', 404, 'not_found'],
  ['PUT /checkout/abc', 405, 'method_not_allowed'],
  ['GET /healthz', 400, 'invalid_request', ''],
  ['GET /nowhere', 404, 'not_found', `${host}expect: a-miracle\r\n`],
  ['GET /nowhere', 404, 'not_found', `${host}upgrade: websocket\r\nconnection: upgrade, close\r\n`],
  ['GET /nowhere', 404, 'not_found', `${host}upgrade: h2c\r\nconnection: upgrade, close\r\n`],
  // A request target other than a path.
  ['OPTIONS *', 404, 'not_found'],
  ['GET *', 404, 'not_found'],
  ['GET http:///healthz', 404, 'not_found'],
  ['GET ftp://x/healthz', 404, 'not_found'],
  // Those under the prefix cost a read.
  [`GET ${api}`, 404, 'not_found'],
  [`POST ${api}/nowhere`, 404, 'not_found'],
  [`PROPFIND ${api}/nowhere`, 404, 'not_found'],
  [`GET ${api}/%zz`, 404, 'not_found'],
  [`GET ${booking}/00000000-0000-4000-8000-000000000000`, 404, 'booking_not_found'],
  [`GET ${booking}/%ff`, 404, 'booking_not_found'],
  [`GET http://x${booking}/%ff`, 404, 'booking_not_found'],
  [`GET ${booking}/%E0%A4%A`, 404, 'booking_not_found'],
  [`GET ${booking}/${'%ff'.repeat(1_300)}`, 404, 'booking_not_found'],
  [`GET ${booking}/${'x'.repeat(3_000)}`, 404, 'booking_not_found'],
  [`GET ${booking}/${long}`, 414, 'uri_too_long'],
  [`GET ${api}/${long}`, 414, 'uri_too_long'],
  [`GET ${api}/studio?${long}`, 414, 'uri_too_long'],
  [`POST ${api}/holds?${long}`, 414, 'uri_too_long'],
  [`PUT ${api}/studio`, 405, 'method_not_allowed'],
  [`DELETE ${api}/holds`, 405, 'method_not_allowed'],
  [`PROPFIND ${api}/studio`, 405, 'method_not_allowed'],
  [`QUERY ${availability}`, 405, 'method_not_allowed'],
  [`GET ${availability}`, 400, 'invalid_request'],
  [`GET ${availability}?from=%ff&to=%`, 400, 'invalid_request'],
  [`GET ${availability}?from=2026-12-01&to=2026-11-30`, 400, 'invalid_request'],
  [`GET ${availability}?from=2026-12-01&to=2027-01-02`, 400, 'invalid_request'],
  [`GET ${availability}?from=0000-12-31&to=0001-01-02`, 400, 'invalid_request'],
  [`GET ${availability}?from=2026-12-01&from=2026-12-01&to=2026-12-02`, 400, 'invalid_request'],
  [`GET ${api}/studio`, 400, 'invalid_request', ''],
  [`GET ${api}/studio`, 400, 'invalid_request', host + host],
  [`POST ${api}/holds`, 400, 'invalid_request', twoKeys, '{}'],
  [`POST ${api}/mcp`, 400, 'invalid_request', json, '{'],
  [`POST ${api}/webhooks`, 415, 'unsupported_media_type', text, 'x'],
  [`POST ${api}/agent-keys`, 413, 'payload_too_large', json, `"${'x'.repeat(70_000)}"`],
  [`POST ${api}/mcp`, 403, 'forbidden', foreign, '{}'],
  [`GET ${api}/webhooks`, 401, 'manage_token_missing'],
];

t.test('every refusal has the envelope, and under the prefix it costs one read', async (t) => {
  let remaining = 60;
  for (const [line, status, code, fields = host, body = ''] of refusals) {
    const name = `${line.slice(0, 80)} ${fields.slice(0, 60).replaceAll('\r\n', ' ')}`;
    const length = `content-length: ${body.length}\r\nconnection: close\r\n`;
    const bytes = `${line} HTTP/1.1\r\n${fields}${length}\r\n${body}`;
    const answer = await raw(bytes);
    t.equal(answer.status, status, name);
    if (!line.includes('/mcp')) t.match(answer.error, { code, request_id: String }, name);
    if (!line.includes(api)) continue;
    remaining -= 1;
    t.match(answer.head, /^ratelimit-policy: "reads";q=60;w=60$/m, name);
    t.match(answer.head, new RegExp(`^ratelimit: "reads";r=${remaining};`, 'm'), name);
  }
});

t.test(
  'an unknown path names the guide first, and a booking whose it is to change it',
  async (t) => {
    const messageOf = async (method: 'DELETE' | 'GET', path: string) =>
      (await service.app.inject({ method, url: path })).json<{ error: { message: string } }>().error
        .message;
    t.match(await messageOf('GET', `${api}/nowhere`), /\/guide\.md.*\/api\/public\/openapi\.json/);
    const id = '00000000-0000-4000-8000-000000000000';
    t.match(await messageOf('DELETE', `${booking}/${id}`), changesAdvice);
    t.notMatch(await messageOf('DELETE', `${api}/holds`), changesAdvice);
  },
);

t.test('a body that is a little too long is read to its end, then refused', async (t) => {
  const body = `"${'x'.repeat(70_000)}"`;
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
  const length = `content-length: ${body.length}\r\n\r\n`;
  socket.write(`POST ${api}/holds HTTP/1.1\r\n${json}${length}${body.slice(0, 1_000)}`);
  for (let count = 0; count < 3; count += 1) await fetch(`${url}/healthz`);
  t.equal(answer, '', 'an answer now would end in a reset');
  socket.write(body.slice(1_000));
  // Fails where the connection is reset.
  await once(socket, 'end');
  t.match(answer, /^HTTP\/1\.1 413 .*"payload_too_large"/s);
});

t.test('after one that is much too long, the connection lives on', async () => {
  const body = 'x'.repeat(1_000_000);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
  const arrived = async (pattern: RegExp) => {
    // Fails where the connection is reset.
    while (!pattern.test(answer)) await once(socket, 'data');
  };
  const length = `content-length: ${body.length}\r\n\r\n`;
  socket.write(`POST ${api}/holds HTTP/1.1\r\n${json}${length}${body.slice(0, 1_000)}`);
  await arrived(/^HTTP\/1\.1 413 .*"payload_too_large"/s);
  socket.write(`${body.slice(1_000)}GET /healthz HTTP/1.1\r\n${host}\r\n`);
  await arrived(/HTTP\/1\.1 200 /);
  socket.destroy();
});

t.test('a single-value header that is sent twice is rejected by name', async (t) => {
  for (const name of ['Host', 'Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID'])
    for (const second of ['a', 'b']) {
      const one = name === 'Host' ? '' : host;
      const twice = `${name}: a\r\nx-between: 1\r\n${name}: ${second}\r\n`;
      const answer = await raw(`GET /nowhere HTTP/1.1\r\n${one}${twice}connection: close\r\n\r\n`);
      t.equal(answer.status, 400, name);
      t.match(answer.error, {
        code: 'invalid_request',
        details: [{ path: `header.${name.toLowerCase()}`, message: 'must be sent once' }],
      });
    }
  const lists = 'accept: a/b\r\naccept: */*\r\nprefer: wait=0\r\nprefer: wait=1\r\n';
  const listed = await raw(`GET /nowhere HTTP/1.1\r\n${host}${lists}connection: close\r\n\r\n`);
  t.equal(listed.status, 404, 'a list may be sent in parts');
});

t.test('what Node would answer without a body has the envelope', async (t) => {
  t.match(await raw('NONSENSE\r\n\r\n'), { status: 400, error: { code: 'invalid_request' } });
  const large = await raw(`GET / HTTP/1.1\r\n${host}x: ${'y'.repeat(20_000)}\r\n\r\n`);
  t.match(large, { status: 431, error: { code: 'headers_too_large' } });
  const hostless = await raw('GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n');
  t.match(hostless, { status: 400, error: { message: /header\.host is/ } });
  t.match(await raw('GET /nowhere HTTP/1.0\r\n\r\n'), { status: 404 }, 'HTTP/1.0 knows no hosts');
  const tunnel = await raw('CONNECT studio.test:443 HTTP/1.1\r\nhost: studio.test:443\r\n\r\n');
  t.match(tunnel, { status: 405, error: { code: 'method_not_allowed' } });
  t.match(tunnel.head, /^allow: DELETE, GET, HEAD, OPTIONS, POST$/m);
});

t.test('the connection of a CONNECT is closed though its client never closes it', async (t) => {
  const accepted = once(service.app.server, 'connection') as Promise<[Socket]>;
  const port = Number(new URL(url).port);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.teardown(() => socket.destroy());
  const [connection] = await accepted;
  const closed = once(connection, 'close');
  socket.resume().write('CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n');
  await closed;
});

t.test('the catalogue of errors and the contract name the same codes', async (t) => {
  const contract = document.components.schemas['ErrorCode']?.['enum'];
  t.strictSame([...(contract as string[])].sort(), [...publicErrorCodes].sort());
});

t.test('an unexpected error is a 500 without its message, a lost database a 503', async (t) => {
  const { context, app, logLines, expectLog } = await startService(t);
  expectLog(lostDatabase, /"code":"internal_error"/, /"code":"service_unavailable"/);
  const { read } = context.board;
  context.board.read = () => Promise.reject(new Error('secret detail'));
  const failed = await app.inject(`${availability}?from=2026-12-01&to=2026-12-02`);
  context.board.read = read;
  t.match(failed, { statusCode: 500, body: '"code":"internal_error"' });
  t.notMatch(failed.body, 'secret detail');
  t.match(logLines.join(''), 'secret detail', 'the log knows');

  await dropDatabase(new URL(context.connection.connectionString!).pathname.slice(1));
  const lost = await app.inject(`${booking}/00000000-0000-4000-8000-000000000000`);
  t.match(lost, { statusCode: 503, body: '"code":"service_unavailable"' });
  t.ok(Number(lost.headers['retry-after']) >= 1);
});
