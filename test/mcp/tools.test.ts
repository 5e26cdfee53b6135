import t from 'tap';
import { createTools } from '../../src/mcp/tools.js';
import { follow, readDocument, valueAt, type Json, type JsonObject } from '../support/document.js';
import {
  connectClient,
  connectModernClient,
  legacyRequest,
  modernRequest,
  post,
  refusalOf,
} from '../support/mcp.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const document = readDocument();
const { context, url } = await startService(t);
const tools = new Map(createTools(context).map((tool) => [tool.definition.name, tool]));

const schemaAt = (name: string) => `#/components/schemas/${name}`;
const holdAt = schemaAt('HoldRequest');

/** The arguments of each tool. */
const inputs: Record<string, { required: Json; members: string[] }> = {
  get_studio_info: { required: [], members: [] },
  list_open_times: { required: ['from', 'to'], members: ['from', 'to', 'time_slot', 'artist'] },
  hold_slot: {
    required: valueAt(document, `${holdAt}/required`) as Json,
    members: [
      ...Object.keys(valueAt(document, `${holdAt}/properties`) as JsonObject),
      'idempotency_key',
    ],
  },
  get_booking_status: { required: ['booking_id'], members: ['booking_id', 'wait_seconds'] },
};

/** The types, members and enumerated values of a schema of openapi.yaml, without references. */
function structureAt(pointed: string, isListed = false): JsonObject {
  const at = follow(document, pointed);
  const schema = valueAt(document, at) as JsonObject;
  const names = ['type', ...(isListed ? [] : ['enum', 'required'])].filter(
    (name) => schema[name] !== undefined,
  );
  const result = Object.fromEntries(names.map((name) => [name, schema[name]!]));
  if (schema['items'] !== undefined) result['items'] = structureAt(`${at}/items`, true);
  if (schema['properties'] !== undefined) {
    result['properties'] = Object.fromEntries(
      Object.keys(schema['properties'] as JsonObject).map((name) => [
        name,
        structureAt(`${at}/properties/${name}`, isListed),
      ]),
    );
  }
  return result;
}

void t.test('the tools have the documented order and annotations', async (t) => {
  const read = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
  const promises = {
    get_studio_info: read,
    list_open_times: read,
    hold_slot: { ...read, readOnlyHint: false, idempotentHint: true },
    get_booking_status: read,
  };
  t.strictSame([...tools.keys()], Object.keys(promises));
  for (const [name, { definition }] of tools) {
    t.strictSame(definition.annotations, promises[name as keyof typeof promises], name);
    t.ok(definition.title, name);
    t.notMatch(JSON.stringify(definition), '$ref', `${name} stands on its own`);
    t.match(definition.description, /when to use/iu, name);
    t.match(definition.description, /afterwards/iu, name);
  }
});

void t.test('output schemas have the structure of those in openapi.yaml, and no more', (t) => {
  for (const [name, component] of [
    ['get_studio_info', 'Studio'],
    ['list_open_times', 'Availability'],
    ['hold_slot', 'Hold'],
    ['get_booking_status', 'Booking'],
  ] as const) {
    const { outputSchema } = tools.get(name)!.definition;
    const structure = structureAt(schemaAt(component));
    // Where a wait that was asked for could not begin.
    const pause = name === 'get_booking_status' && { poll_interval_seconds: { type: 'integer' } };
    const properties = { ...(structure['properties'] as JsonObject), ...pause };
    t.strictSame(outputSchema, { ...structure, properties }, name);
  }
  t.end();
});

void t.test('each tool takes the documented members, and no others', async (t) => {
  for (const [name, { required, members }] of Object.entries(inputs)) {
    const { properties, ...schema } = tools.get(name)!.definition.inputSchema as JsonObject;
    t.strictSame(Object.keys(properties as JsonObject).sort(), [...members].sort(), name);
    t.strictSame(schema['required'] ?? [], required, name);
    // Some hosts refuse the whole list for one of these keywords; a call is validated by them all the same.
    t.notMatch(JSON.stringify(schema), /"(?:format|additionalProperties)":/u, name);
    t.notMatch(JSON.stringify(properties), /"(?:format|additionalProperties)":/u, name);
    const refused = tools.get(name)!.validate({ unknown: 1 }) ?? [];
    t.ok(
      refused.some(({ keyword }) => keyword === 'additionalProperties'),
      name,
    );
    for (const [member, { type, pattern }] of Object.entries(
      properties as Record<string, JsonObject>,
    )) {
      const plain = member === 'wait_seconds' ? 'integer' : 'string';
      t.strictSame([type, pattern], [plain, undefined], 'as every host reads it');
    }
  }
});

void t.test(
  'the list of tools has at most 9,000 characters in every protocol version',
  async (t) => {
    const modern = modernRequest('tools/list');
    for (const answer of [
      await post(url, legacyRequest('tools/list')),
      await post(url, modern.body, modern.headers),
    ]) {
      const { result } = answer.json as { result: { tools: unknown[] } };
      t.equal(result.tools.length, 4);
      const { length } = JSON.stringify(result);
      t.ok(length <= 9_000, `${length} characters`);
    }
  },
);

void t.test('a model that has only the tools is sent to no address of REST', async (t) => {
  const limits = { WRITES_PER_HOUR_ANONYMOUS: '3', MAX_LIVE_BOOKINGS_PER_PERSON: '1' };
  const { url, context } = await startService(t, { ...generous, ...limits });
  const client = await connectClient(t, url);
  const [slot, other] = await someOpenSlots(context, 2);
  const key = crypto.randomUUID();
  const nobody = { booking_id: crypto.randomUUID() };
  const hold = (request: object) => client.call('hold_slot', { ...request });
  const held = await hold({ ...holdRequest(slot!), idempotency_key: key });
  const refused = {
    slot_unavailable: await hold(holdRequest(slot!)),
    idempotency_key_reused: await hold({ ...holdRequest(other!), idempotency_key: key }),
    // The cap of live bookings.
    rate_limited: await hold(holdRequest(other!)),
    invalid_request: await hold({ ...holdRequest(other!), email: 'nobody' }),
    booking_not_found: await client.call('get_booking_status', nobody),
  };
  for (const [code, result] of Object.entries(refused)) t.equal(refusalOf(result).code, code);
  const writes = await hold(holdRequest(other!, { email: 'eve@example.com' }));
  t.match(refusalOf(writes), { code: 'rate_limited', retry_after_seconds: Number });
  const told = { instructions: client.instructions, tools: await client.list(), held, writes };
  for (const [name, text] of Object.entries({ ...told, ...refused })) {
    t.notMatch(JSON.stringify(text), /\b(?:GET|POST|DELETE) \//u, name);
  }
});

void t.test(
  'texts say how long a hold lasts, and that a link opens here only where it does',
  async (t) => {
    const advice = 'The link opens on this machine only, not on a phone: tell the person so.';
    for (const [address, isLocal] of [
      ['http://localhost:3000', true],
      ['http://127.0.0.1:3000', true],
      ['https://book.example.com', false],
    ] as const) {
      const settings = { PUBLIC_BASE_URL: address, HOLD_LIFETIME_SECONDS: '90' };
      const { url, context } = await startService(t, { ...generous, ...settings });
      const client = await (isLocal ? connectClient : connectModernClient)(t, url);
      t.match(client.instructions, 'A hold lasts 90 seconds');
      t.equal(client.instructions?.includes(advice), isLocal, address);
      const [slot] = await someOpenSlots(context, 1);
      const { structuredContent } = await client.call('hold_slot', { ...holdRequest(slot!) });
      const { agent_instructions: told } = structuredContent!['handoff'] as Record<
        string,
        string[]
      >;
      t.equal(told?.includes(advice), isLocal, address);
      t.equal(told?.length, isLocal ? 6 : 5);
    }
  },
);
