import t from 'tap';
import type { HoldRequest, Studio } from '../../generated/schemas.js';
import { emitOperations } from '../../scripts/generate/operations.js';
import { emitSchemas } from '../../scripts/generate/schemas.js';
import type { Handler } from '../../src/http/handler.js';
import type { Json, JsonObject } from '../support/document.js';

t.test('a schema that could not be checked, or not cheaply, is rejected', async (t) => {
  const emit = (schema: Json) =>
    emitSchemas({ components: { schemas: { Probe: schema, Other: { type: 'boolean' } } } });
  const text = emit({ type: 'array', items: { $ref: '#/components/schemas/Other' } });
  t.ok(text.indexOf('const Other =') < text.indexOf('const Probe ='), 'a component comes first');
  const refused: [Json, RegExp][] = [
    [{ type: 'string', const: 'a' }, /keyword const/u],
    [{ type: 'string', maxLenght: 120 }, /keyword maxLenght/u],
    [{ type: 'array' }, /needs items/u],
    [{ allOf: [{}, {}] }, /keyword allOf/u],
    [{ type: 'string', minimum: 1 }, /keyword minimum/u],
    [{ type: 'text' }, /unknown type "text"/u],
    [{ type: 'string', pattern: '\\-' }, /pattern/u],
    [{ type: 'string', enum: ['a', 1] }, /enum value 1/u],
    [{ type: 'object', required: ['a'] }, /required names "a"/u],
    [{ type: 'object', properties: { a: {} }, additionalProperties: {} }, /beside properties/u],
    [{ type: 'array', uniqueItems: true, items: { type: 'object' } }, /uniqueItems/u],
    [{ $ref: '#/components/responses/Other' }, /must start with/u],
    [{ $ref: '#/components/schemas/Probe' }, /Probe -> Probe: recursive/u],
    [{ $ref: '#/components/schemas/Missing' }, /Missing: expected an object/u],
  ];
  for (const [schema, expected] of refused) {
    t.throws(() => emit(schema), { message: expected }, JSON.stringify(schema));
  }
});

t.test('an operation that could not be checked as documented is rejected', async (t) => {
  const emit = (operation: JsonObject) =>
    emitOperations({
      components: { schemas: {} },
      paths: { '/a': { get: { operationId: 'probe', responses: {}, ...operation } } },
    });
  const json = { content: { 'application/json': { schema: {} } } };
  const parameter = { name: 'a', in: 'query', schema: { type: 'string' } };
  const refused: [JsonObject, RegExp][] = [
    [{ requestBody: json }, /must be required/u],
    [{ requestBody: { required: true, content: { 'text/plain': {} } } }, /only application\/json/u],
    [{ parameters: [{ ...parameter, in: 'cookie' }] }, /cookie is not known/u],
    [{ parameters: [{ ...parameter, name: 'Authorization', in: 'header' }] }, /security scheme/u],
    [{ parameters: [{ ...parameter, schema: { type: 'array', items: {} } }] }, /list as a param/u],
    [{ responses: { default: json } }, /no plain status/u],
    [{ operationId: null }, /operationId is missing/u],
  ];
  for (const [operation, expected] of refused) {
    t.throws(() => emit(operation), { message: expected }, JSON.stringify(operation));
  }
});

/** Compiles only when both types are the same. */
function same<One, Other>(
  ..._: (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? [] : [never]
): void {}

const createHold: Handler<'createHold'> = async (request, reply) => {
  same<typeof request.body, HoldRequest>();
  same<typeof request.body.time_slot, '9:00 AM' | '1:00 PM' | '5:00 PM'>();
  same<typeof request.body.pronouns, string | null | undefined>();
  same<(typeof request.headers)['idempotency-key'], string | undefined>();
  // @ts-expect-error: a member that the document does not have
  void request.body.surname;
  // @ts-expect-error: a status that the document does not have
  reply.code(204);
  // @ts-expect-error: the envelope's member is missing
  reply.code(201).send({});
  // @ts-expect-error: an error code that the document does not have
  reply.code(409).send({ error: { code: 'sold_out', message: '', request_id: '' } });
  return reply.code(409).send({
    error: { code: 'slot_unavailable', message: '', request_id: '', alternatives: [] },
  });
};

const getBooking: Handler<'getBooking'> = async (request, reply) => {
  same<typeof request.params, { id: string }>();
  // @ts-expect-error: a status of a booking that the document does not have
  reply.code(200).send({ data: { status: 'lost' } });
  return reply.code(404).send({
    error: { code: 'booking_not_found', message: request.params.id, request_id: '' },
  });
};

const getStudio: Handler<'getStudio'> = async (_request, reply) =>
  reply.code(200).send({ data: {} as Studio });

t.test('a handler that departs from the document does not compile', async (t) => {
  for (const handler of [createHold, getBooking, getStudio]) {
    t.type(handler, 'function', 'the static check of types has read its body');
  }
});
