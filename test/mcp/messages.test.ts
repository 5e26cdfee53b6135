import t, { type Test } from 'tap';
import { addDays } from '../../src/schedule/dates.js';
import { changesAdvice } from '../../src/views/booking.js';
import { responseValidator } from '../support/document.js';
import {
  legacyRequest,
  modernRequest,
  post,
  refusalOf,
  type CallResult,
  type RawAnswer,
} from '../support/mcp.js';
import { startService } from '../support/service.js';

const { url } = await startService(t);
const check = responseValidator();
const modernHeaders = modernRequest('tools/list').headers;
const studio = { name: 'get_studio_info' };
const call = (params?: object) => legacyRequest('tools/call', params);

/** Checks that a response is documented, no 5xx, and tells nothing of the code. */
function isOrderly(t: Test, { status, headers, text, json }: RawAnswer, name: string): void {
  t.ok(status < 500, `${name}: ${status} ${text.slice(0, 200)}`);
  t.strictSame(check({ operation: 'callMcp', status, headers, body: text }), [], name);
  const message = (json as { error?: { message: string } } | undefined)?.error?.message ?? '';
  t.notMatch(message, /\n|\bat .*:\d+|invalid_type|Zod/u, `${name}: no stack, no dump`);
}

const ping = legacyRequest('ping');
const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
const invalid: [name: string, body: unknown, status: number, code: number, id: unknown][] = [
  ['no JSON', '{"jsonrpc":', 400, -32700, null],
  ['an empty body', '', 400, -32700, null],
  ['a batch', [ping], 400, -32600, null],
  ['an empty batch', [], 400, -32600, null],
  ['a call and its cancellation', [call(studio), cancelled], 400, -32600, null],
  ['a string', '"ping"', 400, -32600, null],
  ['null', 'null', 400, -32600, null],
  ['an empty object', {}, 400, -32600, null],
  ['another version of JSON-RPC', { ...ping, jsonrpc: '1.0' }, 400, -32600, 1],
  ['an id of null', legacyRequest('ping', {}, null), 400, -32600, null],
  ['params by position', call(['get_studio_info']), 400, -32600, 1],
  ['an unknown member', { ...ping, extra: 1 }, 400, -32600, 1],
  ['an unknown method', legacyRequest('prompts/list'), 200, -32601, 1],
  ['an unknown tool', call({ name: 'book_for_me' }), 200, -32602, 1],
  ['a call without a name', call({}), 200, -32602, 1],
  ['a call without params', call(), 200, -32602, 1],
  ['a list as arguments', call({ ...studio, arguments: [] }), 200, -32602, 1],
  ['a cursor that is not a string', legacyRequest('tools/list', { cursor: 5 }), 200, -32602, 1],
  ['an initialize without a revision', legacyRequest('initialize', {}), 200, -32602, 1],
];

void t.test('an invalid request gets the JSON-RPC error that the contract documents', async (t) => {
  for (const [name, body, status, code, id] of invalid) {
    const answer = await post(url, body);
    t.equal(answer.status, status, name);
    t.match(answer.json, { jsonrpc: '2.0', id, error: { code } }, name);
    if (name === 'an unknown tool') t.match(answer.text, changesAdvice);
    isOrderly(t, answer, name);
  }
});

void t.test('notifications and stray responses get 202 and nothing else', async (t) => {
  for (const body of [
    { jsonrpc: '2.0', method: 'notifications/initialized', params: null },
    { jsonrpc: '2.0', method: 'notifications/unheard-of' },
    { jsonrpc: '2.0', id: 5, result: {} },
    cancelled,
  ]) {
    const answer = await post(url, body);
    t.strictSame([answer.status, answer.text], [202, '']);
    isOrderly(t, answer, JSON.stringify(body));
  }
});

void t.test('params and members of params that are null are absent, in both eras', async (t) => {
  const isServed = async (name: string, body: object, headers?: Record<string, string>) => {
    const answer = await post(url, body, headers);
    t.match(answer, { status: 200, json: { result: Object } }, name);
  };
  for (const method of ['ping', 'tools/list', 'resources/list', 'resources/templates/list']) {
    await isServed(`${method} with null params`, legacyRequest(method, null));
  }
  for (const [method, params] of [
    ['tools/list', { cursor: null }],
    ['resources/list', { cursor: null }],
    ['tools/call', { ...studio, arguments: null }],
  ] as const) {
    const modern = modernRequest(method, params);
    await isServed(`${method}, 2025`, legacyRequest(method, { ...params, _meta: null }));
    await isServed(`${method}, 2026`, modern.body, modern.headers);
  }
});

void t.test('a call that asks for a task, or has a malformed _meta, gets a response', async (t) => {
  for (const extra of [
    { task: { ttl: 1000 } },
    { task: 'yes' },
    { _meta: { progressToken: {} } },
    { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'x' } } },
    { _meta: 5 },
  ]) {
    const answer = await post(url, call({ ...studio, ...extra }));
    t.match(answer.json, { id: 1, result: { structuredContent: { name: 'Night Heron Tattoo' } } });
  }
});

/** Bodies that a hostile client sends, as text. */
function* hostileBodies(): Generator<string> {
  const version = 'io.modelcontextprotocol/protocolVersion';
  const capabilities = 'io.modelcontextprotocol/clientCapabilities';
  for (const _meta of [
    ...[null, [], 'x', 7, {}],
    ...[null, 20260728, ['2026-07-28'], '', 'x'.repeat(10_000)].map((it) => ({ [version]: it })),
    { [version]: '2026-07-28' },
    { [version]: '2026-07-28', 'io.modelcontextprotocol/clientInfo': 'x' },
    { [version]: '2026-07-28', [capabilities]: [] },
    { [version]: '2026-07-28', [capabilities]: null },
    { [version]: '2026-07-28', progressToken: { a: 1 } },
  ]) {
    yield JSON.stringify(call({ ...studio, _meta }));
    yield JSON.stringify(legacyRequest('subscriptions/listen', { notifications: 7, _meta }));
  }
  const nested = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  const textOf = (name: string, args: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
  yield JSON.stringify(legacyRequest('ping', {}, 'x'.repeat(60_000)));
  for (const id of ['1e999', '9'.repeat(400), '1,"id":{}']) {
    yield `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
  }
  yield textOf('hold_slot', nested);
  yield textOf('get_studio_info', nested);
  yield textOf('get_studio_info', '{"__proto__":{"isAdmin":true}}');
  yield textOf('hold_slot', '{"constructor":{"prototype":{"x":1}}}');
  yield `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":${nested}}}`;
  yield '{"__proto__":{"method":"ping"},"jsonrpc":"2.0","id":1}';
  for (const name of ['__proto__', 'constructor', 'toString', '\\u0000', '\\ud83d']) {
    yield textOf(name, '{}');
    yield `{"jsonrpc":"2.0","id":1,"method":"${name}"}`;
  }
}

void t.test('malformed _meta, deep arguments and prototype names get no 5xx', async (t) => {
  for (const body of hostileBodies()) {
    const name = body.slice(0, 150);
    isOrderly(t, await post(url, body), name);
    isOrderly(t, await post(url, body, modernHeaders), `${name}, revision 2026-07-28`);
  }
  t.equal(({} as Record<string, unknown>)['isAdmin'], undefined);
});

void t.test('parallel calls with one JSON-RPC id each get their own response', async (t) => {
  const answers = Array.from({ length: 200 }, async (_, index) => {
    const from = addDays('2027-01-01', index);
    const range = { from, to: addDays(from, index % 7) };
    const params = { name: 'list_open_times', arguments: range };
    const modern = modernRequest('tools/call', params);
    const { json } = await (index % 2 === 0
      ? post(url, modern.body, modern.headers)
      : post(url, call(params)));
    t.match(json, { id: 1, result: { structuredContent: range } });
  });
  await Promise.all(answers);
  for (const id of [0, -1, 1.5, 9007199254740991, '', '1', 'x'.repeat(2_000), '__proto__']) {
    t.match((await post(url, legacyRequest('ping', {}, id))).json, { id });
  }
});

void t.test('whatever type of answer is asked for, it is JSON', async (t) => {
  for (const accept of ['*/*', 'application/json', 'text/event-stream', '']) {
    const { status, headers } = await post(url, ping, { accept });
    t.equal(status, 200, accept);
    t.match(headers['content-type'], /^application\/json/u, accept);
  }
});

void t.test('an exception in a tool becomes an error result without internals', async (t) => {
  const { url, context, logLines, expectLog } = await startService(t);
  expectLog(/"code":"internal_error"/);
  context.board.read = () => Promise.reject(new Error('secret detail'));
  const answer = await post(url, call(studio));
  t.equal(answer.status, 200);
  const { result } = answer.json as { result: CallResult };
  t.equal(refusalOf(result).code, 'internal_error');
  t.notMatch(answer.text, 'secret detail');
  t.match(logLines.join(''), 'secret detail', 'the log has the cause');
});
