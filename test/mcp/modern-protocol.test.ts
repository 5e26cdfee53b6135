import t from 'tap';
import { modernRequest, post, type RawAnswer } from '../support/mcp.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { startTestService } from '../support/service.js';

const hour = { ttlMs: 3_600_000, cacheScope: 'public' };
const encoded = (name: string) => `=?base64?${Buffer.from(name).toString('base64')}?=`;

/** A response without what differs between two requests. */
function comparable({ status, headers, text }: RawAnswer): object {
  const body = text.replace(/request_id\\":\\"[^\\]+/u, 'request_id');
  return { status, type: headers['content-type'], body: JSON.parse(body) as object };
}

void t.test('the shared server responds as the HTTP handler of the SDK does', async (t) => {
  const { url, context } = await startTestService(t);
  const [slot, ...others] = await someOpenSlots(context, 2);
  const call = (name: string, args?: object) => ['tools/call', { name, arguments: args }] as const;
  const hold = holdRequest(slot!);
  const held = { ...hold, idempotency_key: '0b0cbd58-3f0c-4bd5-8b6b-1c6c3b3a9d10' };
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
    call('hold_slot', held),
    call('hold_slot', hold),
    call('hold_slot', { ...holdRequest(others[0]!), email: 'none' }),
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
    const shared = await post(url, body, headers);
    const alone = await post(url, body, elsewhere);
    t.strictSame(
      comparable(shared),
      comparable(alone),
      `${method} ${JSON.stringify(params).slice(0, 80)}`,
    );
    if (shared.status !== 200 || 'error' in (shared.json as object)) continue;
    t.match(shared.json, { result: { resultType: 'complete' } });
    if (method !== 'tools/call') t.match(shared.json, { result: hour }, `${method} can be cached`);
  }
});

void t.test('a request that its headers do not repeat word for word is not misread', async (t) => {
  const { url } = await startTestService(t);
  const { body, headers } = modernRequest('tools/call', { name: 'get_studio_info' });
  const version = 'io.modelcontextprotocol/protocolVersion';
  const meta = (body as { params: { _meta: object } }).params._meta;
  const changed = (name: string, change: object) => ({
    ...body,
    params: { name, _meta: { ...meta, ...change } },
  });
  const { 'mcp-method': _method, ...withoutMethod } = headers;
  const { 'mcp-protocol-version': _version, ...withoutVersion } = headers;
  const literal = encoded('get_studio_info');
  const cases: [string, object, Record<string, string>, number, number | null][] = [
    ['an encoded name', body, { ...headers, 'mcp-name': literal }, 200, null],
    ['spaces around a name', body, { ...headers, 'mcp-name': ' get_studio_info ' }, 200, null],
    [
      'a name that looks encoded',
      changed(literal, {}),
      { ...headers, 'mcp-name': literal },
      400,
      -32020,
    ],
    ['no method', body, withoutMethod, 400, -32020],
    ['another method', body, { ...headers, 'mcp-method': 'tools/list' }, 400, -32020],
    ['no version', body, withoutVersion, 400, -32020],
    ['an older version', body, { ...headers, 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
    ['a fraction as id', { ...body, id: 1.5 }, headers, 400, -32600],
    [
      'no capabilities',
      changed('get_studio_info', { 'io.modelcontextprotocol/clientCapabilities': undefined }),
      headers,
      400,
      -32602,
    ],
    [
      'a client without a name',
      changed('get_studio_info', { 'io.modelcontextprotocol/clientInfo': {} }),
      headers,
      400,
      -32602,
    ],
    [
      'a progress token of no type',
      changed('get_studio_info', { progressToken: {} }),
      headers,
      400,
      -32600,
    ],
    [
      'a version that is no text',
      changed('get_studio_info', { [version]: 7 }),
      headers,
      400,
      -32602,
    ],
  ];
  for (const [name, message, sent, status, code] of cases) {
    const answer = await post(url, message, sent);
    t.equal(answer.status, status, name);
    t.match(answer.json, code === null ? { result: {} } : { error: { code } }, name);
  }
});
