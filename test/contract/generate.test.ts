import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { parse } from 'yaml';
import { document as generatedDocument } from '../../generated/document.js';
import { operations, type OperationId } from '../../generated/operations.js';
import * as schemas from '../../generated/schemas.js';
import type { JsonObject } from '../../scripts/generate/document.js';
import { findStale, generateFiles } from '../../scripts/generate/files.js';
import { emitOperations } from '../../scripts/generate/operations.js';
import { emitSchemas } from '../../scripts/generate/schemas.js';
import {
  documentPath,
  follow,
  listOperations,
  pointer,
  readDocument,
  valueAt,
  type Json,
} from '../support/document.js';
import { compiledFile, projectRoot } from '../support/project.js';

const generated = join(projectRoot, 'generated');
const documentText = readFileSync(documentPath, 'utf8');
const document = readDocument();

function runGenerator(...parameters: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [compiledFile('scripts/generate.ts'), ...parameters],
    { cwd: projectRoot, encoding: 'utf8' },
  );
  return { status, text: stdout + stderr };
}

/** A copy of `generated/` with a changed, a missing and a foreign file. */
function copySpoiled(t: Test): string {
  const copy = t.testdir();
  cpSync(generated, copy, { recursive: true });
  appendFileSync(join(copy, 'operations.ts'), '\n');
  rmSync(join(copy, 'client.ts'));
  writeFileSync(join(copy, 'leftover.ts'), '');
  return copy;
}

t.test('the committed files are what openapi.yaml generates', async (t) => {
  t.strictSame(await findStale(generated, await generateFiles(documentText)), []);
});

t.test('a changed document makes the committed files stale', async (t) => {
  const files = await generateFiles(documentText.replace('maxLength: 120', 'maxLength: 121'));
  t.ok((await findStale(generated, files)).includes('schemas.ts'));
});

t.test('--check exits 1 and names each stale, missing and foreign file', async (t) => {
  const copy = copySpoiled(t);
  const { status, text } = runGenerator('--check', '--output', copy);
  t.equal(status, 1);
  t.match(text, /operations\.ts is stale/u);
  t.match(text, /client\.ts is stale/u);
  t.match(text, /leftover\.ts is stale/u);
  t.notMatch(text, /schemas\.ts|document\.ts/u);
  t.equal(readFileSync(join(copy, 'leftover.ts'), 'utf8'), '', 'and changes nothing');
});

t.test('the generator writes what is stale, and removes foreign files', async (t) => {
  const copy = copySpoiled(t);
  t.equal(runGenerator('--output', copy).status, 0);
  for (const name of readdirSync(copy)) {
    const committed = readFileSync(join(generated, name), 'utf8');
    t.equal(readFileSync(join(copy, name), 'utf8'), committed, name);
  }
  t.strictSame(readdirSync(copy), readdirSync(generated));
});

t.test('the generator rejects an unknown keyword, with its place in the document', async (t) => {
  const broken = join(t.testdir(), 'openapi.yaml');
  writeFileSync(broken, documentText.replace('maxLength: 120', 'maxLenght: 120'));
  const outcome = runGenerator('--document', broken, '--check');
  t.equal(outcome.status, 1);
  t.equal(
    outcome.text,
    'generate: components.schemas.HoldRequest.name: ' +
      'the generator does not know the keyword maxLenght here\n',
  );
});

t.test('the constant is the document', async (t) => {
  t.strictSame(generatedDocument, parse(documentText));
});

/** Compares the keywords that validate. */
function sameSchema(t: Test, generated: unknown, at: string): void {
  t.strictSame(
    withoutAnnotations(JSON.parse(JSON.stringify(generated)) as Json),
    withoutAnnotations(inlined(document, at)),
    at,
  );
}

t.test('the generated schemas equal the document, keyword by keyword', async (t) => {
  for (const name of Object.keys(valueAt(document, '#/components/schemas') as JsonObject)) {
    const schema = schemas[name as keyof typeof schemas];
    sameSchema(t, schema, pointer('components', 'schemas', name));
    t.notOk('$id' in schema, `${name} has no $id`);
  }
});

t.test(
  'the generated request and response bodies equal the document, keyword by keyword',
  async (t) => {
    for (const { operationId, at } of listOperations(document)) {
      const schema: { body?: unknown; response: Record<string, unknown> } =
        operations[operationId as OperationId].schema;
      const bodies = [[`${at}/requestBody`, schema.body]] as [string, unknown][];
      for (const [status, body] of Object.entries(schema.response)) {
        bodies.push([`${at}/responses/${status}`, body]);
      }
      for (const [place, body] of bodies) {
        const media = `${follow(document, place)}/content/application~1json/schema`;
        if (valueAt(document, media) !== undefined) sameSchema(t, body, media);
      }
    }
  },
);

/** The schema with its references replaced by what they refer to. */
function inlined(document: JsonObject, at: string): Json {
  const target = follow(document, at);
  const value = valueAt(document, target) as Json;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((_, index) => inlined(document, `${target}/${index}`));
  const members = Object.keys(value).map((name) => [
    name,
    inlined(document, `${target}${pointer(name).slice(1)}`),
  ]);
  return Object.fromEntries(members) as Json;
}

const deciding =
  /^(type|enum|required|(min|max|exclusiveM|multiple)\w+|pattern|format|uniqueItems)$/u;

/** Only what decides, in one order: `required` sorted, `additionalProperties` written out. */
function withoutAnnotations(schema: Json): Json {
  const source = schema as JsonObject;
  const result: JsonObject = {};
  for (const [keyword, value] of Object.entries(source)) {
    if (deciding.test(keyword)) result[keyword] = value;
    if (keyword === 'items') result[keyword] = withoutAnnotations(value);
    if (Array.isArray(value) && keyword === 'required') result[keyword] = [...value].sort();
    if (Array.isArray(value) && /^(any|one)Of$/u.test(keyword)) {
      result[keyword] = value.map(withoutAnnotations);
    }
    if (keyword === 'properties') {
      result[keyword] = Object.fromEntries(
        Object.entries(value as JsonObject).map(([name, member]) => [
          name,
          withoutAnnotations(member),
        ]),
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

function emitOne(schema: Json, others: JsonObject = {}): string {
  return emitSchemas({ components: { schemas: { Probe: schema, ...others } } });
}

t.test('every form of a schema that the document may use has its TypeBox form', async (t) => {
  const forms: [Json, string][] = [
    [{}, 'Type.Unknown()'],
    [{ type: 'string', minLength: 1 }, 'Type.String({"minLength":1})'],
    [{ type: ['string', 'null'] }, 'Nullable(Type.String())'],
    [{ type: ['null', 'object'], properties: {} }, 'Nullable(Type.Unsafe<Record<string, unknown>>'],
    [{ type: ['string', 'null'], enum: ['a', null] }, 'Enum(["string","null"], ["a",null])'],
    [{ type: ['string', 'integer', 'null'] }, 'Type.Unsafe<string | number | null>('],
    [{ type: 'array', items: { type: 'number' } }, 'Type.Array(Type.Number())'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'MapOf(Type.String(), )'],
    [{ type: 'object' }, '{"type":"object","additionalProperties":true}'],
    [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, 'OneOf([Type.String(), Type.Null()])'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'Type.Union([Type.String(), Type.Null()])'],
    [{ type: 'string', title: 'T', example: 'e' }, 'Probe = Type.String()'],
    [{ $ref: '#/components/schemas/Other', description: 'd' }, 'Probe = Other'],
  ];
  for (const [schema, expected] of forms) {
    const text = emitOne(schema, { Other: { type: 'boolean' } });
    t.ok(text.includes(expected), `${JSON.stringify(schema)} gives ${expected}`);
  }
});

t.test('a component is emitted after those it refers to', async (t) => {
  const needsOther: Json = { type: 'array', items: { $ref: '#/components/schemas/Other' } };
  const text = emitOne(needsOther, { Other: { type: 'boolean' } });
  t.ok(text.indexOf('const Other =') < text.indexOf('const Probe ='));
});

t.test('a schema that could not be checked, or not cheaply, is rejected', async (t) => {
  const refused: [Json, RegExp][] = [
    [{ type: 'string', const: 'a' }, /keyword const/u],
    [{ const: 'a' }, /keyword const/u],
    [{ type: 'array', items: {}, prefixItems: [{}] }, /keyword prefixItems/u],
    [{ type: 'array' }, /needs items/u],
    [{ allOf: [{}, {}] }, /keyword allOf/u],
    [{ type: 'string', not: {} }, /keyword not/u],
    [{ type: 'object', patternProperties: {} }, /keyword patternProperties/u],
    [{ type: 'object', unevaluatedProperties: false }, /keyword unevaluatedProperties/u],
    [{ type: 'string', nullable: true }, /keyword nullable/u],
    [{ type: 'string', minimum: 1 }, /keyword minimum/u],
    [{ type: 'string', 'x-note': 1 }, /keyword x-note/u],
    [{ type: 'text' }, /unknown type "text"/u],
    [{ type: 'string', pattern: '[' }, /pattern/u],
    [{ type: 'string', pattern: '\\-' }, /pattern/u],
    [{ type: 'string', enum: ['a', 1] }, /enum value 1/u],
    [{ type: 'object', required: ['a'] }, /required names "a"/u],
    [{ type: 'object', properties: { a: {} }, additionalProperties: {} }, /beside properties/u],
    [{ oneOf: [{}, {}], type: 'object' }, /keyword type/u],
    [{ type: 'array', uniqueItems: true, items: { type: 'object' } }, /uniqueItems/u],
    [{ $ref: '#/components/responses/Other' }, /must start with/u],
    [{ $ref: '#/components/schemas/Probe' }, /Probe -> Probe: recursive/u],
    [{ $ref: '#/components/schemas/Missing' }, /Missing: expected an object/u],
    [true, /expected an object/u],
  ];
  for (const [schema, expected] of refused) {
    t.throws(() => emitOne(schema), { message: expected }, JSON.stringify(schema));
  }
  t.throws(() => emitSchemas({ components: { schemas: { Enum: {} } } }), /cannot be used/u);
});

function emitOperation(operation: JsonObject): string {
  const stream = { description: 'd', content: { 'text/event-stream': {} } };
  const responses = { 200: stream, 202: { description: 'd' } };
  return emitOperations({
    components: { schemas: {}, parameters: { Since: { name: 'Since', in: 'header', schema: {} } } },
    paths: { '/a/{id}/b': { get: { operationId: 'probe', responses, ...operation } } },
  });
}

t.test('an operation has a Fastify URL, and no schema for content other than JSON', async (t) => {
  const text = emitOperation({ parameters: [{ $ref: '#/components/parameters/Since' }] });
  t.match(text, 'url: "/a/:id/b"');
  t.match(text, /response: \{\s*202: Type\.Null\(\),\s*\}/u);
  t.match(text, '"since": Type.Optional(Type.Unknown())', 'header names are in lower case');
});

t.test('an operation that could not be checked as documented is rejected', async (t) => {
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
    t.throws(() => emitOperation(operation), { message: expected }, JSON.stringify(operation));
  }
});
