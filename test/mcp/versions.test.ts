import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import t from 'tap';
import { legacyProtocolVersions, protocolVersionKey } from '../../src/web/protocol-versions.js';
import { responseValidator } from '../support/document.js';
import { legacyRequest, modernRequest, post, type RawAnswer } from '../support/mcp.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';

const { url, context } = await startService(t);
const check = responseValidator();
const hour = { ttlMs: 3_600_000, cacheScope: 'public' };
const encoded = (name: string) => `=?base64?${Buffer.from(name).toString('base64')}?=`;

/** Posts it; the answer must be as documented. */
async function ask(body: unknown, headers: Record<string, string> = {}): Promise<RawAnswer> {
  const answer = await post(url, body, headers);
  const problems = check({ ...answer, operation: 'callMcp', body: answer.text });
  if (problems.length > 0) throw new Error(`${problems.join('\n')}\n${answer.text}`);
  return answer;
}

/** A response without what differs between two requests. */
function comparable({ status, headers, text }: RawAnswer): object {
  const body = text.replace(/request_id\\":\\"[^\\]+/u, 'request_id');
  return { status, type: headers['content-type'], body: JSON.parse(body) as object };
}

void t.test('the protocol versions are those of the SDKs', async (t) => {
  t.same(legacyProtocolVersions, SUPPORTED_PROTOCOL_VERSIONS);
  t.equal(protocolVersionKey, PROTOCOL_VERSION_META_KEY);
});

void t.test('the shared server responds as the HTTP handler of the SDK does', async (t) => {
  const [slot, other] = await someOpenSlots(context, 2);
  const call = (name: string, args?: object) => ['tools/call', { name, arguments: args }] as const;
  const hold = holdRequest(slot!);
  const requests: (readonly [method: string, params: Record<string, unknown>])[] = [
    ['server/discover', {}],
    ['tools/list', {}],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: 'ui://studio/slots' }],
    ['resources/read', { uri: 'ui://studio/none' }],
    ['resources/read', {}],
    ['prompts/list', {}],
    ['ping', {}],
    ['initialize', {}],
    ['constructor', {}],
    ['tools/list', { cursor: 5 }],
    call('get_studio_info'),
    call('get_studio_info', { extra: 1 }),
    call('list_open_times', { from: slot!.date, to: slot!.date }),
    call('list_open_times', { from: slot!.date }),
    call('hold_slot', { ...hold, idempotency_key: '0b0cbd58-3f0c-4bd5-8b6b-1c6c3b3a9d10' }),
    call('hold_slot', hold),
    call('hold_slot', { ...holdRequest(other!), email: 'none' }),
    call('get_booking_status', { booking_id: '3f2b8c1e-5d4a-4c3b-9a2f-7e6d5c4b3a21' }),
    call('book_for_me', {}),
    ['tools/call', { name: 'get_studio_info', arguments: 7 }],
    ['tools/call', { name: 'get_studio_info', task: { ttl: 1 } }],
    ['tools/call', {}],
  ];
  for (const [method, params] of requests) {
    const { body, headers } = modernRequest(method, params);
    const { 'mcp-name': name } = headers;
    // Only the SDK's handler decodes a name, and knows which methods ignore it.
    const elsewhere = { ...headers, 'mcp-name': name === undefined ? 'x' : encoded(name) };
    const title = `${method} ${JSON.stringify(params).slice(0, 80)}`;
    const shared = await ask(body, headers);
    t.strictSame(comparable(shared), comparable(await ask(body, elsewhere)), title);
    if (shared.status !== 200 || 'error' in (shared.json as object)) continue;
    t.match(shared.json, { result: { resultType: 'complete' } });
    if (method !== 'tools/call') t.match(shared.json, { result: hour }, `${method} can be cached`);
  }
});

void t.test('revision 2026-07-28 refuses with its statuses, and is not misread', async (t) => {
  const { body, headers } = modernRequest('tools/call', { name: 'get_studio_info' });
  const prefix = 'io.modelcontextprotocol/';
  const { _meta } = (body as { params: { _meta: object } }).params;
  const changed = (change: object, name = 'get_studio_info') => ({
    ...body,
    params: { name, _meta: { ..._meta, ...change } },
  });
  const { 'mcp-method': _method, ...withoutMethod } = headers;
  const { 'mcp-protocol-version': _version, ...withoutVersion } = headers;
  const { 'mcp-name': _name, ...withoutName } = headers;
  const literal = encoded('get_studio_info');
  const listed = modernRequest('tools/list');
  const rows: [string, object, Record<string, string>, number, number | null][] = [
    ['an encoded name', body, { ...headers, 'mcp-name': literal }, 200, null],
    ['spaces around a name', body, { ...headers, 'mcp-name': ' get_studio_info ' }, 200, null],
    ['a literal =?', changed({}, literal), { ...headers, 'mcp-name': literal }, 400, -32020],
    ['no name', body, withoutName, 400, -32020],
    ['another name', body, { ...headers, 'mcp-name': 'hold_slot' }, 400, -32020],
    ['no method', body, withoutMethod, 400, -32020],
    ['another method', body, { ...headers, 'mcp-method': 'tools/list' }, 400, -32020],
    ['no version', body, withoutVersion, 400, -32020],
    ['an older version', body, { ...headers, 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
    ['headers without _meta', legacyRequest('tools/list'), listed.headers, 400, -32602],
    ['a fraction as id', { ...body, id: 1.5 }, headers, 400, -32600],
    [
      'no capabilities',
      changed({ [`${prefix}clientCapabilities`]: undefined }),
      headers,
      400,
      -32602,
    ],
    ['an empty clientInfo', changed({ [`${prefix}clientInfo`]: {} }), headers, 400, -32602],
    ['a number as version', changed({ [`${prefix}protocolVersion`]: 7 }), headers, 400, -32602],
    ['a progress token of no type', changed({ progressToken: {} }), headers, 400, -32600],
  ];
  for (const [method, params, status, code] of [
    ['prompts/list', {}, 404, -32601],
    ['ping', {}, 404, -32601],
    ['tools/call', { name: 'book_for_me' }, 200, -32602],
    ['tools/call', { name: 'get_studio_info', arguments: 7 }, 200, -32602],
  ] as const) {
    const request = modernRequest(method, params);
    rows.push([JSON.stringify([method, params]), request.body, request.headers, status, code]);
  }
  for (const [name, message, sent, status, code] of rows) {
    const answer = await ask(message, sent);
    t.equal(answer.status, status, name);
    t.match(answer.json, code === null ? { result: {} } : { error: { code } }, name);
    t.notMatch(answer.text, /\\n.*at |invalid_type/u, `${name}: no dump`);
  }
});

void t.test('an unknown revision is refused with a list of those that are served', async (t) => {
  const { body, headers } = modernRequest('tools/list');
  const next = JSON.parse(JSON.stringify(body).replaceAll('2026-07-28', '2031-01-01')) as object;
  const inBody = await ask(next, { ...headers, 'mcp-protocol-version': '2031-01-01' });
  t.equal(inBody.status, 400);
  t.match(inBody.json, { error: { code: -32022, data: { supported: ['2026-07-28'] } } });
  const combined = '2026-07-28, 2025-11-25';
  for (const requested of ['1999-01-01', '2031-01-01', '2026-07-29', combined, 'latest', '~']) {
    const list = legacyRequest('tools/list');
    const answer = await ask(list, { 'mcp-protocol-version': requested });
    t.equal(answer.status, 400, requested);
    const supported = ['2026-07-28', ...legacyProtocolVersions];
    const error = { code: -32022, message: /not served/u, data: { supported, requested } };
    t.match(answer.json, { error }, requested);
  }
  for (const [asked, protocolVersion] of [
    ['2025-06-18', '2025-06-18'],
    ['1999-01-01', '2025-11-25'],
  ]) {
    const client = { capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const opening = legacyRequest('initialize', { ...client, protocolVersion: asked });
    const opened = await ask(opening, { 'mcp-protocol-version': 'latest' });
    t.match(opened.json, { result: { protocolVersion } }, 'initialize negotiates by its params');
  }
});

void t.test('a subscription to list changes ends at once', async (t) => {
  const notifications = { toolsListChanged: true };
  const { body, headers } = modernRequest('subscriptions/listen', { notifications });
  const answer = await ask(body, headers);
  t.equal(answer.headers['content-type'], 'text/event-stream');
  t.match(answer.text, /acknowledged[\s\S]*"resultType":"complete"/u);
});

void t.test(
  'a foreign Origin gets 403; none, its own, localhost and allowed ones do not',
  async (t) => {
    const { url } = await startService(t, {
      PUBLIC_BASE_URL: 'https://book.example.com',
      MCP_ALLOWED_ORIGINS: 'https://agent.example,https://other.example:8443',
    });
    const from = async (origin?: string) =>
      post(url, legacyRequest('ping'), origin === undefined ? {} : { origin });
    for (const origin of [
      'https://evil.example',
      'http://book.example.com',
      'https://book.example.com.evil.example',
      'https://localhost.evil.example',
      'https://agent.example:444',
      'null',
      'nonsense',
    ]) {
      const answer = await from(origin);
      t.match(answer, { status: 403, json: { error: { code: 'forbidden' } } }, origin);
      t.strictSame(check({ ...answer, operation: 'callMcp', body: answer.text }), [], origin);
    }
    for (const origin of [
      undefined,
      'https://book.example.com',
      'http://localhost:6274',
      'http://127.0.0.1:5173',
      'http://[::1]:5173',
      'https://agent.example',
      'https://other.example:8443',
    ]) {
      t.equal((await from(origin)).status, 200, origin ?? 'none');
    }
  },
);
