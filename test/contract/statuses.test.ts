import t from 'tap';
import { createMemoryStore } from '../../src/access/stores/memory-store.js';
import type { LimitStore } from '../../src/access/stores/store.js';
import { standingClock } from '../support/clock.js';
import {
  listOperations,
  readDocument,
  responseValidator,
  type Answer,
  type DocumentedOperation,
} from '../support/document.js';
import { modernRequest } from '../support/mcp.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, startService, type TestService } from '../support/service.js';
import { hangUp, send, sendBytes, type WireRequest } from '../support/wire.js';

const check = responseValidator();
const operations = listOperations(readDocument());
const json = { 'content-type': 'application/json' };
const unknownId = '0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11';
const unknownToken = { authorization: 'Bearer nobody' };

/** The parts of a request that change the response. */
type Changes = Partial<Omit<WireRequest, 'method'>>;
/** Gives a request that succeeds, changed. */
type Compose = (operation: DocumentedOperation, changes?: Changes) => WireRequest;

/** Prepares what requests refer to; then every request succeeds as often as it is sent. */
async function prepare({ url, context }: TestService): Promise<Compose> {
  const slots = await someOpenSlots(context, 30);
  const hold = () => JSON.stringify(holdRequest(slots.shift()!));
  const subscription = JSON.stringify({ url: 'https://agent.example/hooks' });
  const post = async (path: string, body: string): Promise<Record<string, string>> => {
    const answer = await send(url, { method: 'POST', path, headers: json, body });
    return (JSON.parse(String(answer.body)) as { data: Record<string, string> }).data;
  };
  const { id } = await post('/api/public/holds', hold());
  const { manage_token: token } = await post('/api/public/webhooks', subscription);
  const { manage_token: second } = await post('/api/public/webhooks', subscription);

  const range = '/api/public/availability?from=2026-12-01&to=2026-12-07';
  const own: Record<string, () => Changes> = {
    listAvailability: () => ({ path: range }),
    createHold: () => ({ headers: json, body: hold() }),
    getBooking: () => ({ path: `/api/public/bookings/${id}` }),
    createWebhook: () => ({ headers: json, body: subscription }),
    getWebhook: () => ({ headers: { authorization: `Bearer ${token}` } }),
    deleteWebhook: () => ({ headers: { authorization: `Bearer ${second}` } }),
    createAgentKey: () => ({ headers: json, body: '{"email":"agent-owner@example.com"}' }),
    callMcp: () => ({ headers: json, body: rpc({ id: 1, method: 'tools/list' }) }),
  };
  return ({ operationId, method, path }, changes = {}) => {
    const base = { path, headers: {}, body: undefined, ...own[operationId]?.() };
    return { method, ...base, ...changes, headers: { ...base.headers, ...changes.headers } };
  };
}

function rpc(message: object): string {
  return JSON.stringify({ jsonrpc: '2.0', ...message });
}

/** Requests that each operation answers with the status. */
function provocations(compose: Compose): Record<number, Record<string, Changes>> {
  const modern = modernRequest('prompts/list');
  const taken = compose(operationNamed('createHold')).body;
  return {
    202: { callMcp: { body: rpc({ method: 'notifications/initialized' }) } },
    400: {
      listAvailability: { path: '/api/public/availability' },
      createHold: { body: '{}' },
      createWebhook: { body: '{"url":"nowhere"}' },
      createAgentKey: { body: '{' },
      callMcp: { body: '[]' },
    },
    401: {
      getWebhook: { headers: unknownToken },
      deleteWebhook: { headers: { authorization: '' } },
    },
    403: { callMcp: { headers: { origin: 'https://elsewhere.example' } } },
    404: {
      getBooking: { path: `/api/public/bookings/${unknownId}` },
      deleteWebhook: { headers: unknownToken },
      callMcp: { headers: modern.headers, body: JSON.stringify(modern.body) },
    },
    409: { createHold: { body: taken } },
  };
}

/** What every operation answers with the status, or every one that has a body or an ETag. */
const everywhere: Record<number, Changes> = {
  200: {},
  201: {},
  304: { headers: { 'if-none-match': '*' } },
  413: { body: `"${'x'.repeat(70_000)}"` },
  415: { headers: { 'content-type': 'text/plain' } },
  431: { headers: { 'x-large': 'x'.repeat(20_000) } },
};

function operationNamed(name: string): DocumentedOperation {
  return operations.find(({ operationId }) => operationId === name)!;
}

function statusesOf({ definition }: DocumentedOperation): number[] {
  return Object.keys(definition['responses'] as object).map(Number);
}

void t.test('every documented status of an operation occurs', async (t) => {
  t.teardown(hangUp);
  const limitStore = createMemoryStore(standingClock());
  const count = limitStore.incr.bind(limitStore);
  let isBroken = false;
  limitStore.incr = (...args: Parameters<LimitStore['incr']>) => {
    if (isBroken) args[1](new Error('broken'), undefined);
    else count(...args);
  };
  const environment = {
    ...generous,
    READS_PER_MINUTE_ANONYMOUS: '20',
    WRITES_PER_HOUR_ANONYMOUS: '4',
    TRUST_PROXY: '127.0.0.1/32',
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
  };
  const service = await startService(t, environment, { overrides: { limitStore } });
  service.expectLog(/"code":"internal_error"/);
  const compose = await prepare(service);
  const particular = provocations(compose);
  let lastAddress = 0;
  /** From a new address, or from the given one. */
  const ask = (operation: DocumentedOperation, changes: Changes = {}, address?: string) => {
    const from = { 'x-forwarded-for': address ?? `192.0.2.${(lastAddress += 1)}` };
    return send(
      service.url,
      compose(operation, { ...changes, headers: { ...changes.headers, ...from } }),
    );
  };
  await ask(operationNamed('createHold'), particular[409]!['createHold']);

  const special: Record<number, (operation: DocumentedOperation) => Promise<Answer>> = {
    414: (operation) => {
      const { path } = compose(operation);
      const last = operation.path.includes('{id}') || path.includes('?') ? path : `${path}?x=`;
      return ask(operation, { path: last + 'x'.repeat(5_000) });
    },
    429: async (operation) => {
      for (;;) {
        const answer = await ask(operation, {}, `198.51.100.${operations.indexOf(operation)}`);
        if (answer.status === 429) return answer;
      }
    },
    500: async (operation) => {
      isBroken = true;
      const answer = await ask(operation);
      isBroken = false;
      return answer;
    },
  };

  for (const operation of operations) {
    for (const status of statusesOf(operation)) {
      if (status === 408 || status === 503) continue;
      const { operationId } = operation;
      const changes = particular[status]?.[operationId] ?? everywhere[status];
      const answer = await (special[status]?.(operation) ?? ask(operation, changes));
      t.equal(answer.status, status, `${operationId} ${status}`);
      t.strictSame(check(answer), [], `${operationId} ${status} is as documented`);
      if (uncharged.includes(status)) continue;
      t.equal(spent(answer), 1, `${operationId} ${status} is charged once, and says so`);
    }
  }
});

/** What the parser refuses before the caller is known, what is refused for the budget, and our failures. */
const uncharged = [408, 431, 429, 500, 503];

/** How much of the named budget is used; each request comes from a new address. */
function spent({ headers }: Answer): number {
  const quota = /;q=(\d+)/.exec(String(headers['ratelimit-policy']))?.[1];
  const remaining = /;r=(\d+)/.exec(String(headers['ratelimit']))?.[1];
  return Number(quota) - Number(remaining);
}

void t.test('every operation responds with 503 when the process is overloaded', async (t) => {
  t.teardown(hangUp);
  const service = await startService(t, { ...generous, MAX_EVENT_LOOP_DELAY_MS: '1' });
  service.expectLog(/"code":"service_unavailable"/);
  for (const { operationId, method, path } of operations) {
    const request = { method, path: path.replace('{id}', unknownId), headers: {}, body: undefined };
    let answer = await send(service.url, request);
    while (answer.status !== 503) {
      const crowd = Array.from({ length: 30 }, () => service.app.inject('/healthz'));
      await Promise.all(crowd);
      const busyUntil = performance.now() + 50;
      while (performance.now() < busyUntil);
      answer = await send(service.url, request);
    }
    t.strictSame(check(answer), [], operationId);
  }
});

void t.test('every operation responds with 408 when a request is not sent in time', async (t) => {
  const { app, url } = await startService(t);
  app.server.headersTimeout = 1;
  app.server.requestTimeout = 1;
  const late = operations.map(async ({ operationId, method, path }) => {
    const begun = `${method} ${path} HTTP/1.1\r\nHost: studio.test\r\n`;
    const { status, head, body } = await sendBytes(url, begun);
    const fields = head.split('\r\n').slice(1);
    const headers = Object.fromEntries(fields.map((field) => field.split(': ')));
    t.equal(status, 408, operationId);
    t.strictSame(check({ operation: operationId, status, headers, body }), [], operationId);
  });
  await Promise.all(late);
});
