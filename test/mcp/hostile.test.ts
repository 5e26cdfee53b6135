import { once } from 'node:events';
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { aMoment } from '../support/agents.js';
import { responseValidator } from '../support/document.js';
import { legacyRequest, modernRequest, post, type RawAnswer } from '../support/mcp.js';
import { startTestService } from '../support/service.js';

const check = responseValidator();
const modernHeaders = modernRequest('tools/list').headers;

/** Checks that a response is documented and not a 5xx. */
function isOrderly(
  t: Test,
  { status, headers, text, json: parsed }: RawAnswer,
  name: string,
): void {
  t.ok(status < 500, `${name}: ${status} ${text.slice(0, 200)}`);
  t.strictSame(check({ operation: 'callMcp', status, headers, body: text }), [], name);
  const message = (parsed as { error?: { message: string } } | undefined)?.error?.message ?? '';
  t.notMatch(message, /\n|\bat .*:\d+|invalid_type|Zod/u, `${name}: no stack, no dump`);
}

void t.test('a malformed _meta is refused with a message or ignored', async (t) => {
  const { url } = await startTestService(t);
  const version = 'io.modelcontextprotocol/protocolVersion';
  const metas: unknown[] = [
    null,
    [],
    'x',
    7,
    {},
    { [version]: null },
    { [version]: 20260728 },
    { [version]: ['2026-07-28'] },
    { [version]: '' },
    { [version]: 'x'.repeat(10_000) },
    { [version]: '2026-07-28' },
    { [version]: '2026-07-28', 'io.modelcontextprotocol/clientInfo': 'x' },
    { [version]: '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': [] },
    { [version]: '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': null },
    { [version]: '2026-07-28', progressToken: { a: 1 } },
  ];
  for (const _meta of metas) {
    for (const [method, extra] of [
      ['tools/list', {}],
      ['tools/call', { name: 'get_studio_info' }],
      ['server/discover', {}],
      ['subscriptions/listen', { notifications: 7 }],
    ] as const) {
      const body = legacyRequest(method, { ...extra, _meta });
      const name = `${method} ${JSON.stringify(_meta).slice(0, 80)}`;
      isOrderly(t, await post(url, body), name);
      isOrderly(t, await post(url, body, { ...modernHeaders, 'mcp-method': method }), name);
    }
  }
});

void t.test('params and members of params that are null are absent, in both eras', async (t) => {
  const { url } = await startTestService(t);
  const isServed = async (name: string, body: object, headers?: Record<string, string>) => {
    const answer = await post(url, body, headers);
    isOrderly(t, answer, name);
    t.match(answer, { status: 200, json: { result: Object } }, name);
  };
  for (const method of ['ping', 'tools/list', 'resources/list', 'resources/templates/list']) {
    await isServed(`${method} with null params`, legacyRequest(method, null));
  }
  for (const [method, params] of [
    ['tools/list', { cursor: null }],
    ['resources/list', { cursor: null }],
    ['tools/call', { name: 'get_studio_info', arguments: null }],
  ] as const) {
    const modern = modernRequest(method, params);
    await isServed(`${method}, 2025`, legacyRequest(method, { ...params, _meta: null }));
    await isServed(`${method}, 2026`, modern.body, modern.headers);
  }
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized', params: null };
  t.equal((await post(url, initialized)).status, 202);
});

void t.test('huge ids, deep arguments and prototype names are handled without a 5xx', async (t) => {
  const { url } = await startTestService(t);
  const nested = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  const call = (name: string, args: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
  const messages: Record<string, string> = {
    'a huge id': JSON.stringify(legacyRequest('ping', {}, 'x'.repeat(60_000))),
    'an id out of range': '{"jsonrpc":"2.0","id":1e999,"method":"ping"}',
    'an id of many digits': `{"jsonrpc":"2.0","id":${'9'.repeat(400)},"method":"ping"}`,
    'an id twice': '{"jsonrpc":"2.0","id":1,"id":{},"method":"ping"}',
    'deep arguments': call('hold_slot', nested),
    'deeply nested arguments': call('get_studio_info', nested),
    'a prototype as arguments': call('get_studio_info', '{"__proto__":{"isAdmin":true}}'),
    'a constructor as arguments': call('hold_slot', '{"constructor":{"prototype":{"x":1}}}'),
    'a deep _meta': `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":${nested}}}`,
    'a message with a prototype': '{"__proto__":{"method":"ping"},"jsonrpc":"2.0","id":1}',
    ...Object.fromEntries(
      ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '\\u0000', '\\ud83d'].map(
        (name) => [`the tool ${name}`, call(name, '{}')],
      ),
    ),
    ...Object.fromEntries(
      ['__proto__', 'constructor', 'toString'].map((method) => [
        `the method ${method}`,
        `{"jsonrpc":"2.0","id":1,"method":"${method}"}`,
      ]),
    ),
  };
  for (const [name, body] of Object.entries(messages)) {
    isOrderly(t, await post(url, body), name);
    isOrderly(t, await post(url, body, modernHeaders), `${name}, revision 2026-07-28`);
  }
  t.equal(({} as Record<string, unknown>)['isAdmin'], undefined);
  t.equal((await post(url, legacyRequest('ping'))).status, 200);
});

void t.test('a client that disconnects in the middle leaves no connection open', async (t) => {
  const { url, app } = await startTestService(t);
  const body = JSON.stringify(legacyRequest('tools/call', { name: 'get_studio_info' }));
  const head = `POST /api/public/mcp HTTP/1.1\r\nHost: studio.test\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  await Promise.all(
    [head, head + body.slice(0, 20), head + body].flatMap((bytes) =>
      Array.from({ length: 50 }, async () => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        await once(socket, 'connect');
        socket.write(bytes);
        socket.destroy();
        await once(socket, 'close');
      }),
    ),
  );
  t.equal((await post(url, body)).status, 200);
  const connections = () =>
    new Promise<number>((resolve) => {
      app.server.getConnections((_error, count) => resolve(count));
    });
  // Only the connection that `post` keeps alive.
  while ((await connections()) > 1) await aMoment();
  t.pass('every connection is closed');
});
