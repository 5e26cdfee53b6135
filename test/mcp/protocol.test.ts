import fc from 'fast-check';
import t, { type Test } from 'tap';
import { responseValidator } from '../support/document.js';
import { seed } from '../support/arbitraries.js';
import {
  legacyRequest,
  modernRequest,
  post,
  refusalOf,
  type CallResult,
  type RawAnswer,
} from '../support/mcp.js';
import { startTestService } from '../support/service.js';

const check = responseValidator();

function isAsDocumented(t: Test, { status, headers, text }: RawAnswer, name: string): void {
  const answer = { operation: 'callMcp', status, headers, body: text };
  t.strictSame(check(answer), [], `${name}: as documented`);
}

void t.test('an invalid request gets the JSON-RPC error that the contract documents', async (t) => {
  const { url } = await startTestService(t);
  const cases: [name: string, body: unknown, status: number, code: number, id: unknown][] = [
    ['no JSON', '{"jsonrpc":', 400, -32700, null],
    ['an empty body', '', 400, -32700, null],
    ['a batch', [legacyRequest('ping')], 400, -32600, null],
    ['an empty batch', [], 400, -32600, null],
    ['a batch of 200', Array(200).fill(legacyRequest('ping')), 400, -32600, null],
    [
      'a batch of a call and its cancellation',
      [
        legacyRequest('tools/call', { name: 'get_studio_info' }, 7),
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } },
      ],
      400,
      -32600,
      null,
    ],
    ['a string', '"ping"', 400, -32600, null],
    ['null', 'null', 400, -32600, null],
    ['an empty object', {}, 400, -32600, null],
    ['another version of JSON-RPC', { ...legacyRequest('ping'), jsonrpc: '1.0' }, 400, -32600, 1],
    ['an id of null', legacyRequest('ping', {}, null), 400, -32600, null],
    ['params by position', legacyRequest('tools/call', ['get_studio_info']), 400, -32600, 1],
    ['an unknown member', { ...legacyRequest('ping'), extra: 1 }, 400, -32600, 1],
    ['an unknown method', legacyRequest('prompts/list'), 200, -32601, 1],
    ['an unknown tool', legacyRequest('tools/call', { name: 'book_for_me' }), 200, -32602, 1],
    ['a call without a name', legacyRequest('tools/call', {}), 200, -32602, 1],
    ['a call without params', legacyRequest('tools/call'), 200, -32602, 1],
    [
      'arguments that are not an object',
      legacyRequest('tools/call', { name: 'get_studio_info', arguments: [] }),
      200,
      -32602,
      1,
    ],
    ['a cursor that is not a string', legacyRequest('tools/list', { cursor: 5 }), 200, -32602, 1],
    ['an initialize without a revision', legacyRequest('initialize', {}), 200, -32602, 1],
  ];
  for (const [name, body, status, code, id] of cases) {
    const answer = await post(url, body);
    t.equal(answer.status, status, name);
    t.match(answer.json, { jsonrpc: '2.0', id, error: { code } }, name);
    const { error } = answer.json as { error: { message: string } };
    t.notMatch(error.message, /\n|\bat .*:\d+|invalid_type|Zod/u, `${name}: no stack, no dump`);
    isAsDocumented(t, answer, name);
  }
});

void t.test('revision 2026-07-28 refuses with the statuses that it defines', async (t) => {
  const { url } = await startTestService(t);
  const { body, headers } = modernRequest('tools/call', { name: 'get_studio_info' });
  const cases: [string, RawAnswer, number, number][] = [];
  const add = async (
    name: string,
    method: string,
    params: Record<string, unknown>,
    status: number,
    code: number,
  ) => {
    const request = modernRequest(method, params);
    cases.push([name, await post(url, request.body, request.headers), status, code]);
  };
  await add('an unknown method', 'prompts/list', {}, 404, -32601);
  await add('a method of older revisions', 'ping', {}, 404, -32601);
  await add('an unknown tool', 'tools/call', { name: 'book_for_me' }, 200, -32602);
  const wrong = { name: 'get_studio_info', arguments: 7 };
  await add('arguments that are not an object', 'tools/call', wrong, 200, -32602);
  const { 'mcp-name': _name, ...unnamed } = headers;
  cases.push(['a missing mirrored header', await post(url, body, unnamed), 400, -32020]);
  const contradiction = { ...headers, 'mcp-name': 'hold_slot' };
  cases.push([
    'a contradictory mirrored header',
    await post(url, body, contradiction),
    400,
    -32020,
  ]);
  const bare = legacyRequest('tools/list');
  cases.push(['a header without _meta', await post(url, bare, headers), 400, -32602]);
  for (const [name, answer, status, code] of cases) {
    t.equal(answer.status, status, name);
    t.match(answer.json, { id: 1, error: { code } }, name);
    const { error } = answer.json as { error: { message: string } };
    t.notMatch(error.message, /\n|invalid_type/u, `${name}: no dump`);
    isAsDocumented(t, answer, name);
  }
});

void t.test(
  'an unknown protocol revision is refused with a list of those that are served',
  async (t) => {
    const { url } = await startTestService(t);
    const old = await post(url, legacyRequest('tools/list'), {
      'mcp-protocol-version': '1999-01-01',
    });
    t.equal(old.status, 400);
    const { error } = old.json as { error: { code: number; data: { supported: string[] } } };
    t.equal(error.code, -32022);
    t.strictSame(error.data.supported.slice(0, 2), ['2026-07-28', '2025-11-25']);
    isAsDocumented(t, old, 'an unknown old one');

    const { body, headers } = modernRequest('tools/list');
    const next = JSON.parse(JSON.stringify(body).replaceAll('2026-07-28', '2031-01-01')) as object;
    const future = await post(url, next, { ...headers, 'mcp-protocol-version': '2031-01-01' });
    t.equal(future.status, 400);
    t.match(future.json, { error: { code: -32022, data: { supported: ['2026-07-28'] } } });
    isAsDocumented(t, future, 'a future one');

    for (const revision of ['2031-01-01', '2026-07-29', '2026-07-28, 2025-11-25', 'latest', '~']) {
      const bare = await post(url, legacyRequest('tools/list'), {
        'mcp-protocol-version': revision,
      });
      t.equal(bare.status, 400, revision);
      t.match(bare.json, {
        error: {
          code: -32022,
          message: /not served/u,
          data: { supported: error.data.supported, requested: revision },
        },
      });
      isAsDocumented(t, bare, `${revision}, without _meta`);
    }

    const opening = (protocolVersion: string) =>
      post(
        url,
        legacyRequest('initialize', {
          protocolVersion,
          capabilities: {},
          clientInfo: { name: 'x', version: '1' },
        }),
      );
    t.match((await opening('2025-06-18')).json, { result: { protocolVersion: '2025-06-18' } });
    t.match(
      (await opening('1999-01-01')).json,
      { result: { protocolVersion: '2025-11-25' } },
      'initialize negotiates a revision that is served',
    );
  },
);

void t.test('notifications and stray responses get 202 and nothing else', async (t) => {
  const { url } = await startTestService(t);
  for (const body of [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', method: 'notifications/unheard-of' },
    { jsonrpc: '2.0', id: 5, result: {} },
  ]) {
    const answer = await post(url, body);
    t.equal(answer.status, 202);
    t.equal(answer.text, '');
    isAsDocumented(t, answer, JSON.stringify(body));
  }
});

void t.test('a subscription to list changes ends at once', async (t) => {
  const { url } = await startTestService(t);
  const { body, headers } = modernRequest('subscriptions/listen', {
    notifications: { toolsListChanged: true },
  });
  const answer = await post(url, body, headers);
  t.equal(answer.headers['content-type'], 'text/event-stream');
  t.match(answer.text, /acknowledged[\s\S]*"resultType":"complete"/u);
  isAsDocumented(t, answer, 'subscriptions/listen');
});

void t.test('a call that asks for a task, or has a malformed _meta, gets a response', async (t) => {
  const { url } = await startTestService(t);
  for (const extra of [
    { task: { ttl: 1000 } },
    { task: 'yes' },
    { _meta: { progressToken: {} } },
    { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 'x' } } },
    { _meta: 5 },
  ]) {
    const answer = await post(
      url,
      legacyRequest('tools/call', { name: 'get_studio_info', ...extra }),
    );
    t.match(answer.json, { id: 1, result: { structuredContent: { name: 'Night Heron Tattoo' } } });
  }
});

void t.test('every message gets a documented response', async (t) => {
  const { url } = await startTestService(t);
  const methods = ['initialize', 'ping', 'tools/list', 'tools/call', 'server/discover', 'x', ''];
  const names = ['get_studio_info', 'list_open_times', 'get_booking_status', '__proto__', ''];
  const params = fc.record(
    {
      name: fc.oneof(fc.constantFrom(...names), fc.jsonValue()),
      arguments: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
      _meta: fc.oneof(
        fc.constant({ 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }),
        fc.jsonValue(),
      ),
      task: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const message = fc.record(
    {
      jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, fc.jsonValue()),
      id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
      method: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...methods) }, fc.jsonValue()),
      params: fc.oneof({ weight: 9, arbitrary: params }, fc.jsonValue()),
    },
    { requiredKeys: ['jsonrpc'] },
  );
  const headers = fc.record(
    {
      'mcp-protocol-version': fc.constantFrom('2025-11-25', '2026-07-28', '2031-01-01', 'x'),
      'mcp-method': fc.constantFrom('tools/call', 'x'),
      'mcp-name': fc.constantFrom(...names),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(message, headers, async (body, headers) => {
      const answer = await post(url, body, headers as Record<string, string>);
      const { status, text } = answer;
      const problems = check({
        operation: 'callMcp',
        status,
        headers: answer.headers,
        body: text,
      });
      if (problems.length > 0) throw new Error(`${problems.join('\n')}\n${text}`);
      if (status >= 500) throw new Error(text);
    }),
    { seed, numRuns: 400 },
  );
  t.pass(`400 messages, seed ${seed}`);
});

void t.test('an exception in a tool becomes an error result without internals', async (t) => {
  const { url, context, logLines, expectLog } = await startTestService(t);
  expectLog(/"code":"internal_error"/);
  context.board.read = () => Promise.reject(new Error('secret detail'));
  const answer = await post(url, legacyRequest('tools/call', { name: 'get_studio_info' }));
  t.equal(answer.status, 200);
  const { result } = answer.json as { result: CallResult };
  t.equal(refusalOf(result).code, 'internal_error');
  t.notMatch(answer.text, 'secret detail');
  t.match(logLines.join(''), 'secret detail', 'the log has the cause');
});
