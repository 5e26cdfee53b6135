/**
 * Valid and broken requests to every operation of openapi.yaml, over the wire; every answer is
 * judged against the document. The check draws from a fixed seed. A longer run, by hand:
 *
 *     FUZZ_RUNS=2000 FUZZ_SEED=$RANDOM npm test -- --timeout=3600 test/contract/fuzz.test.ts
 */
import fc from 'fast-check';
import t from 'tap';
import { seed as fixedSeed } from '../support/arbitraries.js';
import {
  listOperations,
  readDocument,
  responseValidator,
  type Answer,
  type DocumentedOperation,
} from '../support/document.js';
import { requestsOf, type FuzzRequest, type Known } from '../support/fuzz.js';
import { agent, aMoment, newKey, patiently } from '../support/agents.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, startTestService, type TestService } from '../support/service.js';
import { hangUp, send } from '../support/wire.js';

const runs = Number(process.env['FUZZ_RUNS'] ?? 60);
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
  for (let index = 0; index < 3; index += 1) {
    const payload = { url: `https://agent.example/${index}` };
    const answer = await patiently(() =>
      app.inject({ method: 'POST', url: '/api/public/webhooks', payload }),
    );
    tokens.push(answer.json<{ data: { manage_token: string } }>().data.manage_token);
  }
  const studio = await agent(app).read();
  const { key } = await newKey(app);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  return {
    bodies: {
      createHold: slots.map((slot) => holdRequest(slot)),
      createWebhook: [{ url: 'https://agent.example/hooks' }],
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

/** Sends again while this machine is too busy for the service, which then says so. */
async function sendPatiently(url: string, request: FuzzRequest): Promise<Answer> {
  for (;;) {
    const answer = await send(url, request);
    if (errorCode(answer) !== 'service_unavailable') return answer;
    await aMoment();
  }
}

/** What the document says of the request, beyond the shape of the answer. */
function judge(operation: DocumentedOperation, request: FuzzRequest, answer: Answer): string[] {
  const problems = check(answer);
  const { status } = answer;
  const limited = status === 429;
  const wrongStatuses = {
    path: [404],
    query: [400],
    headers: [400],
    body: [400],
    bytes: [400, 413, 415],
  };
  const code = errorCode(answer);
  if (status >= 500) problems.push(`a ${status}`);
  // The connector answers in JSON-RPC's own terms.
  if (operation.operationId === 'callMcp' || limited) return problems;
  // Longer than the service reads, whatever it says.
  if ([414, 431].includes(status) && request.path.length > 4_000) return problems;
  if (request.wrong !== null && !wrongStatuses[request.wrong].includes(status)) {
    problems.push(`${status}, though its ${request.wrong} is not as documented`);
  }
  const hasRulesBeyond = ['listAvailability', 'createHold', 'createWebhook'].includes(
    operation.operationId,
  );
  if (request.wrong === null && code === 'invalid_request' && !hasRulesBeyond) {
    problems.push('invalid_request, though it is as documented');
  }
  return problems;
}

function errorCode({ status, body }: Answer): string | null {
  if (status < 400 || typeof body !== 'string' || body === '') return null;
  return (JSON.parse(body) as { error: { code: string } }).error.code;
}

void t.test(`every response is as documented (seed ${seed}, ${runs} runs each)`, async (t) => {
  const service = await startTestService(t, {
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
      const statuses = new Map<number, number>();
      const outcome = await fc.check(
        fc.asyncProperty(requestsOf(document, operation, known), async (request) => {
          const answer = await sendPatiently(service.url, request);
          seen.add(answer.status);
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          const problems = judge(operation, request, answer);
          if (problems.length > 0) throw new Error(problems.join('; '));
        }),
        { seed, numRuns: runs },
      );
      t.notOk(outcome.failed, fc.defaultReportMessage(outcome) ?? 'none differs');
      t.comment([...statuses].map(([status, count]) => `${status}: ${count}`).join(', '));
      t.ok(
        [...statuses.keys()].some((status) => status < 300),
        'some requests succeed',
      );
    });
  }

  await t.test('a method that a path does not have', async (t) => {
    const paths = [...new Set(listOperations(document).map(({ path }) => path))];
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];
    for (const path of paths) {
      const own = listOperations(document).flatMap((operation) =>
        operation.path === path ? [operation.method] : [],
      );
      const allowed = own.includes('GET') ? [...own, 'HEAD'] : own;
      for (const method of methods.filter((each) => !allowed.includes(each))) {
        const headers = { 'x-forwarded-for': '203.0.113.1' };
        const address = path.replace('{id}', '0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11');
        const request = { method, path: address, headers, body: undefined, wrong: null };
        const answer = await sendPatiently(service.url, request);
        t.ok([405, 429].includes(answer.status), `${method} ${path}: ${answer.status}`);
        t.strictSame(check(answer), []);
        if (answer.status !== 405) continue;
        t.strictSame(String(answer.headers['allow']).split(', ').sort(), allowed.sort());
      }
    }
  });

  for (const status of [200, 201, 304, 400, 401, 404, 409, 415, 429]) {
    t.ok(seen.has(status), `a ${status} was among the answers`);
  }
});
