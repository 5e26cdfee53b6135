import { readFile } from 'node:fs/promises';
import { AjvJsonSchemaValidator as ValidatorOfSdk2 } from '@modelcontextprotocol/client/validators/ajv';
import { AjvJsonSchemaValidator as ValidatorOfSdk1 } from '@modelcontextprotocol/sdk/validation/ajv';
import t from 'tap';
import { parse } from 'yaml';
import type { JsonObject } from '../../generated/document.js';
import type { Hold, Studio } from '../../generated/schemas.js';
import type { Slot } from '../../src/schedule/slots.js';
import { changesAdvice } from '../../src/views/booking.js';
import { linkToBook } from '../../src/web/book-link.js';
import {
  connectClient,
  connectModernClient,
  legacyRequest,
  modernRequest,
  post,
  refusalOf,
  type CallResult,
} from '../support/mcp.js';
import { projectRoot } from '../support/project.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const service = await startService(t);
const { app, url, context } = service;
const slots = await someOpenSlots(context, 20);
const nextSlot = (): Slot => slots.shift()!;
const limited = { ...generous, READS_PER_MINUTE_ANONYMOUS: '60', WRITES_PER_HOUR_ANONYMOUS: '5' };

interface RestAnswer {
  data: Record<string, unknown>;
  error: ReturnType<typeof refusalOf>;
}

const rest = async (path: string) =>
  (await app.inject(`/api/public${path}`)).json<RestAnswer>().data;
const holdOverRest = async (app: typeof service.app, payload: object, key?: string) => {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const answer = await app.inject({ method: 'POST', url: '/api/public/holds', headers, payload });
  return answer.json<RestAnswer>();
};

/** What the refusal of a hold for its limits ends with. */
const bookLink = (slot: Slot) =>
  ` Or give the person http://studio.test${linkToBook(slot)}, where they hold the time by themselves, if their own limits allow it; you get no id, so ask them.`;

const clients = [
  ['SDK 1', '2025-11-25', connectClient],
  ['SDK 2 by default', '2025-11-25', connectModernClient],
  ['SDK 2, detecting', '2026-07-28', (t, url) => connectModernClient(t, url, 'auto')],
  ['SDK 2, pinned', '2026-07-28', (t, url) => connectModernClient(t, url, { pin: '2026-07-28' })],
] satisfies [string, string, typeof connectClient][];

for (const [name, revision, connect] of clients) {
  void t.test(`the client of ${name} gets from the tools what REST answers`, async (t) => {
    const client = await connect(t, url);
    t.equal(client.revision, revision);
    t.match(client.serverInfo, { name: 'test.studio/booking', version: '2.0.0' });
    t.match(client.instructions, /only the person opens the link/i);
    t.match(client.instructions, 'A hold lasts 15 minutes');
    t.match(client.instructions, changesAdvice);
    t.match(client.instructions, 'you get no id, so ask them');
    const tools = await client.list();
    const names = ['get_studio_info', 'list_open_times', 'hold_slot', 'get_booking_status'];
    t.strictSame(
      tools.map((tool) => tool.name),
      names,
    );
    const studio = await client.call('get_studio_info');
    t.strictSame(studio.structuredContent, await rest('/studio'));
    const slot = nextSlot();
    const range = { from: slot.date, to: slot.date };
    const times = await client.call('list_open_times', range);
    const open = await rest(`/availability?${new URLSearchParams(range).toString()}`);
    t.strictSame(times.structuredContent, open);

    for (const nothing of [null, '']) {
      const optional = { pronouns: nothing, idea: nothing, idempotency_key: nothing };
      const request = { ...holdRequest(nextSlot()), ...optional };
      const lacking = await client.call('hold_slot', { ...request, phone: nothing });
      t.match(refusalOf(lacking), { details: [{ path: 'arguments.phone' }] });
      const held = await client.call('hold_slot', request);
      t.equal(held.structuredContent?.['status'], 'pending', 'optional ones may be empty');
      const same = await client.call('list_open_times', { ...range, time_slot: nothing });
      const again = await client.call('list_open_times', range);
      t.strictSame(same.structuredContent, again.structuredContent);
    }
    const held = await client.call('hold_slot', { ...holdRequest(slot) });
    t.equal(held.content.length, 2);
    const id = String(held.structuredContent?.['id']);
    const booking = await client.call('get_booking_status', { booking_id: id });
    t.strictSame(booking.structuredContent, await rest(`/bookings/${id}`));
    for (const result of [studio, times, held, booking]) {
      t.notOk(result.isError);
      const text = JSON.parse(result.content[0]?.text ?? '') as object;
      t.strictSame(text, result.structuredContent, 'the first text is the same data as JSON');
    }
  });
}

void t.test('a client that listed the tools of 2.8 reads their results of today', async (t) => {
  const released = await readFile(
    `${projectRoot}/test/contract/released/openapi-2.0.0.yaml`,
    'utf8',
  );
  // As tools are listed: open for new members.
  const { components } = parse(released, (key, value: unknown) =>
    key === 'additionalProperties' ? undefined : value,
  ) as JsonObject;
  const client = await connectClient(t, url);
  const slot = nextSlot();
  const held = await client.call('hold_slot', { ...holdRequest(slot) });
  const id = held.structuredContent?.['id'];
  const results = {
    Studio: await client.call('get_studio_info'),
    Availability: await client.call('list_open_times', { from: slot.date, to: slot.date }),
    Hold: held,
    Booking: await client.call('get_booking_status', { booking_id: id }),
  };
  const { ends_at } = held.structuredContent as unknown as Hold;
  t.match(ends_at, /T(13|17|20):00:00-0[78]:00$/);
  t.match(results.Booking.structuredContent, { ends_at });
  const { hours } = results.Studio.structuredContent as unknown as Studio;
  const sessions = [
    { time_slot: '9:00 AM', ends: '13:00' },
    { time_slot: '1:00 PM', ends: '17:00' },
    { time_slot: '5:00 PM', ends: '20:00' },
  ];
  t.match(hours.slice(0, 2), [{ sessions: [] }, { sessions }]);
  for (const validator of [new ValidatorOfSdk1(), new ValidatorOfSdk2()]) {
    for (const [name, { structuredContent }] of Object.entries(results)) {
      const schema = { type: 'object', $ref: `#/components/schemas/${name}`, components } as const;
      const validate = validator.getValidator(schema as object);
      t.match(validate(structuredContent), { valid: true }, name);
      t.match(validate({ ...structuredContent, timezone: 1 }), { valid: false }, name);
    }
  }
});

void t.test('the error for an invalid argument names it', async (t) => {
  const client = await connectClient(t, url);
  const request = holdRequest(nextSlot());
  for (const [tool, args, path] of [
    ['hold_slot', { ...request, time_slot: '2:00 PM' }, 'time_slot'],
    ['hold_slot', { ...request, phone: '12' }, 'phone'],
    ['hold_slot', { ...request, deposit: 50 }, 'deposit'],
    ['hold_slot', { ...request, idempotency_key: 'a\nb' }, 'idempotency_key'],
    ['hold_slot', { ...request, idempotency_key: ' ' }, 'idempotency_key'],
    ['list_open_times', { from: '2026-12-01' }, 'to'],
    ['list_open_times', { from: '0000-12-31', to: '0001-01-05' }, 'from'],
    ['list_open_times', { from: '2026-02-30', to: '2026-03-01' }, 'from'],
    ['list_open_times', { from: '2026-12-01', to: '2026-11-01' }, 'to'],
    ['get_booking_status', { booking_id: '42' }, 'booking_id'],
    ['get_studio_info', { verbose: true }, 'verbose'],
  ] as const) {
    t.match(refusalOf(await client.call(tool, args)), {
      code: 'invalid_request',
      message: `The request is not valid: arguments.${path} `,
      details: { length: 1, 0: { path: `arguments.${path}` } },
    });
  }
  const reversed = { from: '2026-12-01', to: '2026-11-01' };
  t.match(refusalOf(await client.call('list_open_times', reversed)), {
    message: 'arguments.to must not be before from',
  });
});

void t.test('a hold is told on the clock of the studio, and refused as REST does', async (t) => {
  const client = await connectClient(t, url);
  const request = { ...holdRequest(nextSlot()) };
  const { structuredContent, content } = await client.call('hold_slot', request);
  const { label, expires_at, checkout_url, handoff } = structuredContent as unknown as Hold;
  const clock = { timeZone: 'America/Los_Angeles', timeStyle: 'short' } as const;
  const until = new Date(expires_at).toLocaleTimeString('en-US', clock).replace(/\s/u, ' ');
  t.equal(
    handoff.message,
    `Your session on ${label} is held for you for 15 minutes, until ${until} in Portland. Open this link to lock it in; booking is free.`,
  );
  t.equal(content[1]?.text, `${handoff.message} ${checkout_url}`, 'the sentence for the person');

  const refusal = refusalOf(await client.call('hold_slot', request));
  t.equal(
    refusal.message,
    `${label} is held at the moment. If that is your own hold, wait for its person, and send the same idempotency key when you repeat a call. Otherwise, offer the person one of the alternatives.`,
    'a slot that is held is not said to be held by another',
  );
  const { code, message, alternatives } = (await holdOverRest(app, request)).error;
  t.match(refusal, { code, message, alternatives });
  t.ok((alternatives ?? []).length > 0);
});

void t.test('REST and the tools share keys and budgets, in every protocol version', async (t) => {
  const { app, url, context } = await startService(t, limited);
  const client = await connectClient(t, url);
  const modern = await connectModernClient(t, url, { pin: '2026-07-28' });
  const slots = await someOpenSlots(context, 6);
  const request = (index: number) => ({ ...holdRequest(slots[index]!) });
  const hold = (args: object, caller = client) => caller.call('hold_slot', { ...args });

  const withNulls = { ...request(0), pronouns: null, idea: null };
  const { data } = await holdOverRest(app, withNulls, '"hold-1"');
  const replay = await hold({ ...withNulls, idempotency_key: 'hold-1' });
  t.strictSame(replay.structuredContent, data, 'first REST, then the tool');
  const twin = { ...request(1), idempotency_key: 'hold-2' };
  const twins = await Promise.all(Array.from({ length: 10 }, () => hold(twin)));
  t.equal(new Set(twins.map(({ structuredContent }) => structuredContent?.['id'])).size, 1);
  const reused = await hold({ ...request(0), idempotency_key: 'hold-2' });
  t.equal(refusalOf(reused).code, 'idempotency_key_reused');

  t.match(await holdOverRest(app, request(2)), { data: { status: 'pending' } });
  for (const [index, caller] of [client, modern].entries()) {
    t.notOk((await hold(request(3 + index), caller)).isError);
  }
  const invalid = refusalOf(await hold({ ...request(5), email: 'wrong' }));
  t.equal(invalid.code, 'invalid_request', 'it costs no hold');
  for (const caller of [client, modern]) {
    const refusal = refusalOf(await hold(request(5), caller));
    const { code, message, retry_after_seconds: seconds } = refusal;
    t.equal(code, 'rate_limited', 'the sixth hold of the hour');
    t.ok(message.endsWith(bookLink(slots[5]!)), message);
    t.equal((await holdOverRest(app, request(5))).error.message, message);
    t.ok(Number(seconds) > 3_000 && Number(seconds) <= 3_600);
  }
  t.notOk((await client.call('get_studio_info')).isError, 'reads are still served');
});

void t.test('every message is charged to one budget, which the response names', async (t) => {
  const { url, context } = await startService(t, limited);
  const discover = modernRequest('server/discover');
  const messages: [body: unknown, headers?: Record<string, string>][] = [
    [legacyRequest('ping')],
    [legacyRequest('tools/list')],
    [{ jsonrpc: '2.0', method: 'notifications/initialized' }],
    [legacyRequest('tools/call', { name: 'get_studio_info' })],
    [legacyRequest('tools/call', { name: 'get_studio_info', arguments: { x: 1 } })],
    [legacyRequest('tools/call', { name: 'nothing' })],
    [legacyRequest('tools/call', {})],
    [legacyRequest('nothing')],
    [discover.body, discover.headers],
    [[]],
    ['{'],
    [legacyRequest('ping'), { origin: 'https://evil.example' }],
  ];
  for (const [index, [body, headers]] of messages.entries()) {
    const answer = await post(url, body, headers);
    t.match(answer.headers['ratelimit'], `"reads";r=${59 - index};`, JSON.stringify(body));
    t.equal(answer.headers['ratelimit-policy'], '"reads";q=60;w=60');
  }
  const [slot] = await someOpenSlots(context, 1);
  const hold = { name: 'hold_slot', arguments: holdRequest(slot!) };
  const held = await post(url, legacyRequest('tools/call', hold));
  t.match(held.headers['ratelimit'], '"holds";r=4;');
  t.equal(held.headers['ratelimit-policy'], '"holds";q=5;w=3600');
});

void t.test('beyond the limit of reads a call gets an error result, others 429', async (t) => {
  const { url } = await startService(t, { ...limited, READS_PER_MINUTE_ANONYMOUS: '2' });
  const call = async () => {
    const answer = await post(url, legacyRequest('tools/call', { name: 'get_studio_info' }));
    t.equal(answer.status, 200);
    return (answer.json as { result: CallResult }).result;
  };
  t.notOk((await call()).isError);
  t.notOk((await call()).isError);
  const refusal = refusalOf(await call());
  t.equal(refusal.code, 'rate_limited');
  t.ok(Number(refusal.retry_after_seconds) <= 60);
  for (const body of [legacyRequest('tools/list'), legacyRequest('tools/call', {}), '{', []]) {
    const answer = await post(url, body);
    t.match(answer, { status: 429, json: { error: { code: 'rate_limited' } } });
    t.ok(Number(answer.headers['retry-after']) >= 1);
  }
});
