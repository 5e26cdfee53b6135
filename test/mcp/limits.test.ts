import t from 'tap';
import {
  connectClient,
  connectModernClient,
  legacyRequest,
  modernRequest,
  post,
  refusalOf,
  type CallResult,
} from '../support/mcp.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, startTestService } from '../support/service.js';

const standard = { ...generous, READS_PER_MINUTE_ANONYMOUS: '60', WRITES_PER_HOUR_ANONYMOUS: '5' };

void t.test(
  'the sixth anonymous hold in an hour is refused in every protocol version',
  async (t) => {
    const { url, context } = await startTestService(t, standard);
    const client = await connectClient(t, url);
    const modern = await connectModernClient(t, url, { pin: '2026-07-28' });
    const slots = await someOpenSlots(context, 6);
    for (const [index, slot] of slots.slice(0, 5).entries()) {
      const caller = index % 2 === 0 ? client : modern;
      t.notOk((await caller.call('hold_slot', { ...holdRequest(slot) })).isError);
    }
    const before = { ...holdRequest(slots[5]!), email: 'wrong' };
    t.equal(
      refusalOf(await client.call('hold_slot', before)).code,
      'invalid_request',
      'a call that fails validation costs no hold',
    );
    for (const caller of [client, modern]) {
      const refusal = refusalOf(await caller.call('hold_slot', { ...holdRequest(slots[5]!) }));
      t.equal(refusal.code, 'rate_limited');
      t.ok(Number(refusal.retry_after_seconds) > 3_500);
      t.ok(Number(refusal.retry_after_seconds) <= 3_600);
    }
    t.notOk((await client.call('get_studio_info')).isError, 'reads are still served');
  },
);

void t.test('REST and tools share the budget of holds', async (t) => {
  const { url, context } = await startTestService(t, standard);
  const client = await connectClient(t, url);
  const slots = await someOpenSlots(context, 6);
  for (const slot of slots.slice(0, 5)) {
    const held = await fetch(`${url}/api/public/holds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(holdRequest(slot)),
    });
    t.equal(held.status, 201);
  }
  const refused = await client.call('hold_slot', { ...holdRequest(slots[5]!) });
  t.equal(refusalOf(refused).code, 'rate_limited');
});

void t.test('every message is charged to one budget, which the response names', async (t) => {
  const { url, context } = await startTestService(t, standard);
  const [slot] = await someOpenSlots(context, 1);
  const discover = modernRequest('server/discover');
  const messages: [body: unknown, headers: Record<string, string>][] = [
    [legacyRequest('ping'), {}],
    [legacyRequest('tools/list'), {}],
    [{ jsonrpc: '2.0', method: 'notifications/initialized' }, {}],
    [legacyRequest('tools/call', { name: 'get_studio_info' }), {}],
    [legacyRequest('tools/call', { name: 'get_studio_info', arguments: { x: 1 } }), {}],
    [legacyRequest('tools/call', { name: 'nothing' }), {}],
    [legacyRequest('tools/call', {}), {}],
    [legacyRequest('nothing'), {}],
    [discover.body, discover.headers],
    [[], {}],
    ['{', {}],
    [legacyRequest('ping'), { origin: 'https://evil.example' }],
  ];
  let left = 60;
  for (const [body, headers] of messages) {
    left -= 1;
    const answer = await post(url, body, headers);
    t.match(answer.headers['ratelimit'], `"reads";r=${left};`, JSON.stringify(body));
    t.equal(answer.headers['ratelimit-policy'], '"reads";q=60;w=60');
  }
  const hold = { name: 'hold_slot', arguments: holdRequest(slot!) };
  const held = await post(url, legacyRequest('tools/call', hold));
  t.match(held.headers['ratelimit'], '"holds";r=4;');
  t.equal(held.headers['ratelimit-policy'], '"holds";q=5;w=3600');
});

void t.test(
  'beyond the limit of reads a tool call gets an error result, anything else 429',
  async (t) => {
    const { url } = await startTestService(t, { ...standard, READS_PER_MINUTE_ANONYMOUS: '2' });
    const call = () => post(url, legacyRequest('tools/call', { name: 'get_studio_info' }));
    t.notOk(((await call()).json as { result: CallResult }).result.isError);
    t.notOk(((await call()).json as { result: CallResult }).result.isError);
    const refused = await call();
    t.equal(refused.status, 200);
    const refusal = refusalOf((refused.json as { result: CallResult }).result);
    t.equal(refusal.code, 'rate_limited');
    t.ok(Number(refusal.retry_after_seconds) <= 60);

    for (const body of [legacyRequest('tools/list'), legacyRequest('tools/call', {}), '{', []]) {
      const answer = await post(url, body);
      t.equal(answer.status, 429, JSON.stringify(body));
      t.match(answer.json, { error: { code: 'rate_limited' } });
      t.ok(Number(answer.headers['retry-after']) >= 1);
    }
  },
);

void t.test('the same idempotency_key over REST and MCP gives one booking', async (t) => {
  const { url, context } = await startTestService(t, standard);
  const client = await connectClient(t, url);
  const [slot, other] = await someOpenSlots(context, 2);
  const rest = (key: string) =>
    fetch(`${url}/api/public/holds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(holdRequest(slot!)),
    });
  const first = await rest('"hold-1"');
  const { data } = (await first.json()) as { data: Record<string, unknown> };
  const args = { ...holdRequest(slot!), idempotency_key: 'hold-1' };
  const second = await client.call('hold_slot', args);
  t.strictSame(second.structuredContent, data, 'first REST, then the tool');

  const third = { ...holdRequest(other!), idempotency_key: 'hold-2' };
  const twins = await Promise.all(
    Array.from({ length: 10 }, () => client.call('hold_slot', third)),
  );
  t.equal(new Set(twins.map((twin) => String(twin.structuredContent?.['id']))).size, 1);
  const reused = { ...holdRequest(slot!), idempotency_key: 'hold-2' };
  t.equal(refusalOf(await client.call('hold_slot', reused)).code, 'idempotency_key_reused');
});
