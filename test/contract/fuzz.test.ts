import fc from 'fast-check';
import t from 'tap';
import { agent, newKey } from '../support/agents.js';
import { seed as fixedSeed } from '../support/arbitraries.js';
import {
  listOperations,
  readDocument,
  responseValidator,
  type Answer,
  type DocumentedOperation,
} from '../support/document.js';
import { requestsOf, type FuzzRequest, type Known } from '../support/fuzz.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, startService, type TestService } from '../support/service.js';
import { hangUp, send } from '../support/wire.js';

const runs = Number(process.env['FUZZ_RUNS'] ?? 40);
const seed = Number(process.env['FUZZ_SEED'] ?? fixedSeed);
const document = readDocument();
const check = responseValidator();

/** One address is busy enough to meet its limits; the others are too many for that. */
const addresses = [
  ...Array.from({ length: runs / 8 }, () => '192.0.2.1'),
  ...Array.from({ length: runs }, (_, index) => `198.18.${index >> 8}.${index & 255}`),
];

async function prepare(service: TestService): Promise<Known> {
  const { app, context } = service;
  const slots = await someOpenSlots(context, 40);
  const held = slots.slice(0, 3);
  const ids: string[] = [];
  for (const slot of held) {
    const answer = await agent(app).hold(slot);
    ids.push(answer.json<{ data: { id: string } }>().data.id);
  }
  const tokens: string[] = [];
  const payload = { url: 'https://agent.example/hooks' };
  for (let index = 0; index < 3; index += 1) {
    const answer = await app.inject({ method: 'POST', url: '/api/public/webhooks', payload });
    tokens.push(answer.json<{ data: { manage_token: string } }>().data.manage_token);
  }
  const studio = await agent(app).read();
  const { key } = await newKey(app);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  return {
    bodies: {
      createHold: slots.map((slot) => holdRequest(slot)),
      createWebhook: [payload],
      createAgentKey: [{ email: 'agent-owner@example.com' }],
      callMcp: [
        { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        { ...call, params: { name: 'get_studio_info', arguments: {} } },
        { ...call, params: { name: 'hold_slot', arguments: { ...holdRequest(slots[5]!) } } },
        { ...call, params: { name: 'get_booking_status', arguments: { booking_id: ids[0]! } } },
      ],
    },
    parameters: {
      id: ids,
      from: ['2026-12-01', '2026-12-20'],
      to: ['2026-12-07', '2026-12-31', '2027-01-20'],
      'Idempotency-Key': ['one', '"one"', 'two'],
      'If-None-Match': [String(studio.headers.etag), '*', '"other"'],
    },
    // Keeps a run from waiting for a minute.
    only: { Prefer: ['wait=0', 'respond-async, wait=0', 'return=minimal'] },
    authorizations: [`Bearer ${key}`, ...tokens.map((token) => `Bearer ${token}`), 'Bearer nobody'],
    addresses,
  };
}

/** What a request with a part that is not as documented is answered. */
const wrongStatuses = {
  path: [404],
  query: [400],
  headers: [400],
  body: [400],
  bytes: [400, 413, 415],
};
const hasRulesBeyond = ['listAvailability', 'createHold', 'createWebhook'];

/** What the document says of the request, beyond the shape of the answer. */
function judge(operation: DocumentedOperation, request: FuzzRequest, answer: Answer): string[] {
  const problems = check(answer);
  const { status } = answer;
  if (status >= 500) problems.push(`a ${status}`);
  // The connector answers in JSON-RPC's own terms.
  if (operation.operationId === 'callMcp' || status === 429) return problems;
  // Longer than the service reads, whatever it says.
  if ([414, 431].includes(status) && request.path.length > 4_000) return problems;
  if (request.wrong !== null && !wrongStatuses[request.wrong].includes(status)) {
    problems.push(`${status}, though its ${request.wrong} is not as documented`);
  }
  const isRefused = status >= 400 && String(answer.body).includes('"invalid_request"');
  if (request.wrong === null && isRefused && !hasRulesBeyond.includes(operation.operationId)) {
    problems.push('invalid_request, though it is as documented');
  }
  return problems;
}

void t.test(`every response is as documented (seed ${seed}, ${runs} runs each)`, async (t) => {
  const service = await startService(t, {
    ...generous,
    READS_PER_MINUTE_ANONYMOUS: '30',
    WRITES_PER_HOUR_ANONYMOUS: '10',
    TRUST_PROXY: '127.0.0.1/32',
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
  });
  t.teardown(hangUp);
  const known = await prepare(service);
  const seen = new Set<number>();

  for (const operation of listOperations(document)) {
    await t.test(operation.operationId, async (t) => {
      const statuses: number[] = [];
      const isFine = fc.asyncProperty(requestsOf(document, operation, known), async (request) => {
        const answer = await send(service.url, request);
        statuses.push(answer.status);
        const problems = judge(operation, request, answer);
        if (problems.length > 0) throw new Error(problems.join('; '));
      });
      const outcome = await fc.check(isFine, { seed, numRuns: runs });
      t.notOk(outcome.failed, fc.defaultReportMessage(outcome) ?? 'none differs');
      t.ok(
        statuses.some((status) => status < 300),
        'some requests succeed',
      );
      for (const status of statuses) seen.add(status);
    });
  }

  await t.test('a method that a path does not have gets 405 with those that it has', async (t) => {
    const operations = listOperations(document);
    for (const [index, path] of [...new Set(operations.map(({ path }) => path))].entries()) {
      const own = operations.flatMap(({ method, path: at }) => (at === path ? [method] : []));
      const allowed = own.includes('GET') ? [...own, 'HEAD'] : own;
      const headers = { 'x-forwarded-for': `203.0.113.${index}` };
      const address = path.replace('{id}', '0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11');
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
        if (allowed.includes(method)) continue;
        const request = { method, path: address, headers, body: undefined };
        const answer = await send(service.url, request);
        t.equal(answer.status, 405, `${method} ${path}`);
        t.strictSame(check(answer), []);
        t.strictSame(String(answer.headers['allow']).split(', ').sort(), allowed.sort());
      }
    }
  });

  for (const status of [200, 201, 304, 400, 401, 404, 409, 415, 429]) {
    t.ok(seen.has(status), `a ${status} was among the answers`);
  }
});
