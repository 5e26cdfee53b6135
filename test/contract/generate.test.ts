import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { document as generatedDocument } from '../../generated/document.js';
import { operations, type OperationId } from '../../generated/operations.js';
import type { HoldRequest, Studio } from '../../generated/schemas.js';
import { findStale, generateFiles } from '../../scripts/generate/files.js';
import { emitOperations } from '../../scripts/generate/operations.js';
import { emitSchemas } from '../../scripts/generate/schemas.js';
import type { Handler } from '../../src/http/handler.js';
import {
  documentPath,
  follow,
  listOperations,
  pointer,
  readDocument,
  valueAt,
  type Json,
  type JsonObject,
} from '../support/document.js';
import { compiledFile, projectRoot } from '../support/project.js';

const documentText = readFileSync(documentPath, 'utf8');
const document = readDocument();

t.test('each stale, missing and foreign file in generated/ is named', async (t) => {
  const copy = t.testdir();
  cpSync(join(projectRoot, 'generated'), copy, { recursive: true });
  const files = await generateFiles(documentText);
  t.strictSame(await findStale(copy, files), []);
  appendFileSync(join(copy, 'operations.ts'), '\n');
  rmSync(join(copy, 'client.ts'));
  writeFileSync(join(copy, 'leftover.ts'), '');
  const stale = await findStale(copy, files);
  t.strictSame(stale.sort(), ['client.ts', 'leftover.ts', 'operations.ts']);
});

t.test('an unknown keyword fails the generator, with its place in the document', async (t) => {
  const broken = join(t.testdir(), 'openapi.yaml');
  writeFileSync(broken, documentText.replace('maxLength: 120', 'maxLenght: 120'));
  const args = [compiledFile('scripts/generate.ts'), '--document', broken, '--check'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  t.equal(status, 1);
  t.equal(
    stderr,
    'generate: components.schemas.HoldRequest.name: ' +
      'the generator does not know the keyword maxLenght here\n',
  );
});

t.test('the generated bodies equal the document, keyword by keyword', async (t) => {
  t.strictSame(generatedDocument, parse(documentText));
  for (const { operationId, at } of listOperations(document)) {
    const schema: { body?: unknown; response: Record<string, unknown> } =
      operations[operationId as OperationId].schema;
    const bodies = [[`${at}/requestBody`, schema.body]] as [string, unknown][];
    for (const [status, body] of Object.entries(schema.response)) {
      bodies.push([`${at}/responses/${status}`, body]);
    }
    for (const [place, body] of bodies) {
      const media = `${follow(document, place)}/content/application~1json/schema`;
      if (valueAt(document, media) === undefined) continue;
      const generated = JSON.parse(JSON.stringify(body)) as Json;
      t.strictSame(withoutAnnotations(generated), withoutAnnotations(inlined(media)), media);
    }
  }
});

/** The schema with its references replaced by what they refer to. */
function inlined(at: string): Json {
  const target = follow(document, at);
  const value = valueAt(document, target) as Json;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((_, index) => inlined(`${target}/${index}`));
  const members = Object.keys(value).map((name) => [
    name,
    inlined(`${target}${pointer(name).slice(1)}`),
  ]);
  return Object.fromEntries(members) as Json;
}

const deciding = /^(type|enum|(min|max|exclusiveM|multiple)\w+|pattern|format|uniqueItems)$/u;

/** Only what decides, in one order: `required` sorted, `additionalProperties` written out. */
function withoutAnnotations(schema: Json): Json {
  const source = schema as JsonObject;
  const result: JsonObject = {};
  for (const [keyword, value] of Object.entries(source)) {
    if (deciding.test(keyword)) result[keyword] = value;
    if (keyword === 'items') result[keyword] = withoutAnnotations(value);
    if (keyword === 'required') result[keyword] = [...(value as Json[])].sort();
    if (/^(any|one)Of$/u.test(keyword)) {
      result[keyword] = (value as Json[]).map(withoutAnnotations);
    }
    if (keyword === 'properties') {
      const members = Object.entries(value as JsonObject);
      result[keyword] = Object.fromEntries(
        members.map(([name, member]) => [name, withoutAnnotations(member)]),
      );
    }
  }
  if ([source['type']].flat().includes('object')) {
    const additional = source['additionalProperties'] ?? true;
    result['additionalProperties'] =
      typeof additional === 'boolean' ? additional : withoutAnnotations(additional);
  }
  return result;
}

t.test('a schema that could not be checked, or not cheaply, is rejected', async (t) => {
  const emit = (schema: Json) =>
    emitSchemas({ components: { schemas: { Probe: schema, Other: { type: 'boolean' } } } });
  const text = emit({ type: 'array', items: { $ref: '#/components/schemas/Other' } });
  t.ok(text.indexOf('const Other =') < text.indexOf('const Probe ='), 'a component comes first');
  const refused: [Json, RegExp][] = [
    [{ type: 'string', const: 'a' }, /keyword const/u],
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
