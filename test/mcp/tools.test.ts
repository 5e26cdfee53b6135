import fc from 'fast-check';
import t from 'tap';
import { createTools } from '../../src/mcp/tools.js';
import { seed, validValue } from '../support/arbitraries.js';
import {
  documentCompiler,
  follow,
  pointer,
  readDocument,
  valueAt,
  type Json,
  type JsonObject,
} from '../support/document.js';
import { connectClient, refusalOf } from '../support/mcp.js';
import { mutant } from '../support/mutants.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { startTestService } from '../support/service.js';

const document = readDocument();
const compile = documentCompiler(document);
const { context } = await startTestService(t);
const tools = new Map(createTools(context).map((tool) => [tool.definition.name, tool]));

const schemaAt = (name: string) => `#/components/schemas/${name}`;

/** The pointer to a parameter's schema in openapi.yaml. */
function parameterAt(path: string, method: string, name: string): string {
  const at = pointer('paths', path, method, 'parameters');
  const parameters = valueAt(document, at) as JsonObject[];
  const index = parameters.findIndex((parameter) => parameter['name'] === name);
  return follow(document, `${at}/${index}/schema`);
}

/** Each tool's arguments, and the pointer to the schema of each in openapi.yaml. */
const inputs: Record<string, { required: string[]; members: Record<string, string> }> = {
  get_studio_info: { required: [], members: {} },
  list_open_times: {
    required: ['from', 'to'],
    members: Object.fromEntries(
      ['from', 'to', 'time_slot'].map((name) => [
        name,
        parameterAt('/api/public/availability', 'get', name),
      ]),
    ),
  },
  hold_slot: {
    required: valueAt(document, `${schemaAt('HoldRequest')}/required`) as string[],
    members: {
      ...Object.fromEntries(
        Object.keys(valueAt(document, `${schemaAt('HoldRequest')}/properties`) as JsonObject).map(
          (name) => [name, follow(document, `${schemaAt('HoldRequest')}/properties/${name}`)],
        ),
      ),
      idempotency_key: parameterAt('/api/public/holds', 'post', 'Idempotency-Key'),
    },
  },
  get_booking_status: {
    required: ['booking_id'],
    members: { booking_id: parameterAt('/api/public/bookings/{id}', 'get', 'id') },
  },
};

/** Whether each argument is valid by openapi.yaml. */
function isAllowed(tool: string, args: Json): boolean {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return false;
  const { required, members } = inputs[tool]!;
  return (
    required.every((name) => Object.hasOwn(args, name)) &&
    Object.entries(args).every(
      ([name, value]) => Object.hasOwn(members, name) && compile(members[name]!)(value),
    )
  );
}

/** The types, members and enumerated values of a schema of openapi.yaml, without references. */
function structureAt(at: string): Json {
  const {
    type,
    enum: values,
    required,
    properties,
    items,
  } = valueAt(document, follow(document, at)) as JsonObject;
  return {
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
    ...(required !== undefined && { required }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.keys(properties as JsonObject).map((name) => [
          name,
          structureAt(`${follow(document, at)}/properties/${name}`),
        ]),
      ),
    }),
    ...(items !== undefined && { items: structureAt(`${follow(document, at)}/items`) }),
  };
}

void t.test('the tools have the documented order and annotations', async (t) => {
  const read = { readOnlyHint: true, openWorldHint: false };
  const promises = {
    get_studio_info: read,
    list_open_times: read,
    hold_slot: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    get_booking_status: read,
  };
  t.strictSame([...tools.keys()], Object.keys(promises));
  for (const [name, { definition }] of tools) {
    t.strictSame(definition.annotations, promises[name as keyof typeof promises], name);
    t.ok(definition.title, name);
    t.notMatch(JSON.stringify(definition.inputSchema), '$ref', `${name} stands on its own`);
    t.notMatch(JSON.stringify(definition.outputSchema), '$ref', `${name} stands on its own`);
    t.match(definition.description, /when to use/iu, name);
    t.match(definition.description, /afterwards/iu, name);
  }
});

void t.test('the description of a tool names every error that it can return', async (t) => {
  const expected = {
    hold_slot: [
      'slot_unavailable',
      'invalid_request',
      'idempotency_key_reused',
      'rate_limited',
      'too_many_pending_holds',
    ],
    get_booking_status: ['booking_not_found', 'rate_limited'],
  };
  for (const [name, codes] of Object.entries(expected)) {
    for (const code of codes) t.match(tools.get(name)?.definition.description, code, name);
  }
  const { description } = tools.get('hold_slot')!.definition;
  t.match(description, /never open that link/iu);
  t.match(description, 'get_booking_status');
});

void t.test(
  'output schemas have the structure of those in openapi.yaml, and no more',
  async (t) => {
    const outputs = {
      get_studio_info: 'Studio',
      list_open_times: 'Availability',
      hold_slot: 'Hold',
      get_booking_status: 'Booking',
    };
    for (const [name, component] of Object.entries(outputs)) {
      t.strictSame(
        tools.get(name)?.definition.outputSchema,
        structureAt(schemaAt(component)),
        name,
      );
    }
  },
);

for (const [name, { required, members }] of Object.entries(inputs)) {
  void t.test(`${name} takes what openapi.yaml allows, and nothing else`, async (t) => {
    const tool = tools.get(name)!;
    const { properties, ...schema } = tool.definition.inputSchema as JsonObject;
    t.strictSame(Object.keys(properties as JsonObject).sort(), Object.keys(members).sort());
    t.strictSame((schema['required'] ?? []) as string[], required);
    t.equal(schema['additionalProperties'], false);
    for (const { type, pattern } of Object.values(properties as Record<string, JsonObject>)) {
      t.strictSame([type, pattern], ['string', undefined], 'as every host reads it');
    }

    const valid = fc.record(
      Object.fromEntries(
        Object.entries(members).map(([member, at]) => [member, validValue(document, at)]),
      ),
      { requiredKeys: required, noNullPrototype: true },
    ) as fc.Arbitrary<Json>;
    let allowed = 0;
    fc.assert(
      fc.property(fc.oneof(valid, valid.chain(mutant)), (args) => {
        const verdict = isAllowed(name, args);
        if (verdict) allowed += 1;
        return (tool.validate(args) === null) === verdict;
      }),
      { seed, numRuns: 1500 },
    );
    t.ok(allowed > 0, `1500 arguments, ${allowed} of them allowed, seed ${seed}`);
  });
}

void t.test('REST and tools refuse the same slot with the same message', async (t) => {
  const { url, context } = await startTestService(t);
  const client = await connectClient(t, url);
  const [slot] = await someOpenSlots(context, 1);
  const held = await client.call('hold_slot', { ...holdRequest(slot!) });
  t.equal(
    held.content[1]?.text,
    `${(held.structuredContent?.['handoff'] as { message: string } | undefined)?.message} ${String(held.structuredContent?.['checkout_url'])}`,
    'the second text is the sentence to tell the person, with the link',
  );

  const refusal = refusalOf(await client.call('hold_slot', { ...holdRequest(slot!) }));
  const rest = await fetch(`${url}/api/public/holds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(holdRequest(slot!)),
  });
  const { error } = (await rest.json()) as { error: typeof refusal };
  t.equal(refusal.code, 'slot_unavailable');
  t.equal(refusal.message, error.message);
  t.strictSame(refusal.alternatives, error.alternatives);
  t.ok((refusal.alternatives ?? []).length > 0);
});

void t.test('a key stands for one request in REST and tools, with null in it', async (t) => {
  const { app, url, context } = await startTestService(t);
  const client = await connectClient(t, url);
  const [slot] = await someOpenSlots(context, 1);
  const request = { ...holdRequest(slot!), pronouns: null, idea: null };
  const headers = { 'idempotency-key': 'one' };
  const payload = { method: 'POST', url: '/api/public/holds', headers, payload: request } as const;
  const { data } = (await app.inject(payload)).json<{ data: object }>();
  const replay = await client.call('hold_slot', { ...request, idempotency_key: 'one' });
  t.strictSame(replay.structuredContent, data);
});

void t.test('the error for an invalid argument names it', async (t) => {
  const { url, context } = await startTestService(t);
  const client = await connectClient(t, url);
  const [slot] = await someOpenSlots(context, 1);
  const cases: [string, Record<string, unknown>, string][] = [
    ['hold_slot', { ...holdRequest(slot!), email: 'nobody' }, 'arguments.email'],
    ['hold_slot', { ...holdRequest(slot!), phone: 5555550142 }, 'arguments.phone'],
    ['hold_slot', { ...holdRequest(slot!), deposit: 50 }, 'arguments.deposit'],
    ['hold_slot', { ...holdRequest(slot!), name: '\u200B' }, 'arguments.name'],
    ['hold_slot', holdRequest({ ...slot!, date: '0000-12-31' }), 'arguments.date'],
    ['hold_slot', { ...holdRequest(slot!), idempotency_key: 'a\nb' }, 'arguments.idempotency_key'],
    ['hold_slot', { ...holdRequest(slot!), idempotency_key: ' ' }, 'arguments.idempotency_key'],
    ['hold_slot', { ...holdRequest(slot!), email: '' }, 'arguments.email'],
    ['list_open_times', { from: '2026-12-01' }, 'arguments.to'],
    ['list_open_times', { from: '0000-12-31', to: '0001-01-05' }, 'arguments.from'],
    ['list_open_times', { from: '2026-02-30', to: '2026-03-01' }, 'arguments.from'],
    ['list_open_times', { from: '2026-12-01', to: '2026-11-01' }, 'arguments.to'],
    ['get_booking_status', { booking_id: '42' }, 'arguments.booking_id'],
    ['get_studio_info', { verbose: true }, 'arguments.verbose'],
  ];
  for (const [tool, args, path] of cases) {
    const { code, message, details } = refusalOf(await client.call(tool, args));
    t.equal(code, 'invalid_request');
    t.match(message, `The request is not valid: ${path} `);
    t.strictSame(
      details?.map((detail) => detail.path),
      [path],
    );
  }
  const unknown = { booking_id: '00000000-0000-4000-8000-000000000000' };
  t.equal(refusalOf(await client.call('get_booking_status', unknown)).code, 'booking_not_found');
});
