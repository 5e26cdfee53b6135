import fc from 'fast-check';
import t from 'tap';
import { errors, publicErrorCodes, type ErrorCode } from '../../src/errors.js';
import { seed, validValue } from '../support/arbitraries.js';
import {
  documentCompiler,
  failureSchemaOf,
  follow,
  listOperations,
  pointer,
  readDocument,
  responseValidator,
  valueAt,
  type Json,
  type JsonObject,
} from '../support/document.js';

const document = readDocument();
const compile = documentCompiler(document);
const compileText = documentCompiler(document, { coerceTypes: true });
const operations = listOperations(document);

/** The headers of an answer that was charged to a budget. */
const limits = { 'ratelimit-policy': '"reads";q=60;w=60', ratelimit: '"reads";r=0;t=1' };

/** Visits every object of the document outside of examples. */
function* objects(at = '#'): Generator<{ at: string; value: JsonObject }> {
  const value = valueAt(document, at);
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { at, value };
  for (const name of Object.keys(value)) {
    const isExample = holdsExample(at, name);
    if (!isExample) yield* objects(`${at}${pointer(name).slice(1)}`);
  }
}

function holdsExample(at: string, name: string): boolean {
  if (name === 'value') return /\/examples\/[^/]+$/u.test(at);
  const isList = Array.isArray(valueAt(document, `${at}/examples`));
  return !at.endsWith('/properties') && (name === 'example' || (name === 'examples' && isList));
}

/** The pointer of a member further down, with every reference on the way followed. */
function member(at: string, ...steps: (string | number)[]): string {
  return steps.reduce<string>(
    (place, step) => follow(document, `${place}${pointer(step).slice(1)}`),
    follow(document, at),
  );
}

function names(at: string): string[] {
  return Object.keys((valueAt(document, at) ?? {}) as JsonObject);
}

t.test('every $ref leads somewhere, and every component is used', async (t) => {
  const used = new Set<string>();
  for (const { at, value } of objects()) {
    if (value['$ref'] === undefined) continue;
    const reference = String(value['$ref']);
    used.add(reference);
    t.not(valueAt(document, reference), undefined, `${at}: ${reference}`);
  }
  for (const kind of ['schemas', 'responses', 'parameters', 'headers', 'examples']) {
    for (const name of names(`#/components/${kind}`)) {
      t.ok(used.has(pointer('components', kind, name)), `${kind}/${name} is used`);
    }
  }
});

t.test('every operation has a summary, a description and its responses', async (t) => {
  const ids = operations.map((operation) => operation.operationId);
  t.equal(new Set(ids).size, ids.length, 'operationIds are unique');
  for (const { at, definition, operationId } of operations) {
    t.match(operationId, /^[a-z][A-Za-z]+$/u);
    for (const text of ['summary', 'description']) {
      t.type(definition[text], 'string', `${operationId} has a ${text}`);
    }
    t.ok(
      names(`${at}/responses`).some((status) => status < '300'),
      `${operationId} can succeed`,
    );
    for (const status of ['408', '429', '431', '500', '503']) {
      t.ok(names(`${at}/responses`).includes(status), `${operationId} has ${status}`);
    }
    const hasBody = definition['requestBody'] !== undefined;
    for (const status of ['413', '415']) {
      t.equal(names(`${at}/responses`).includes(status), hasBody, `${operationId}: ${status}`);
    }
  }
});

/** The pointers to the examples of a media type. */
function examplesOf(media: string): string[] {
  const named = names(`${media}/examples`);
  const examples = named.map((name) => member(media, 'examples', name, 'value'));
  return examples.concat(names(media).includes('example') ? `${media}/example` : []);
}

/** Whether an object of the schema, the whole or a part, has an example in the schema. */
function hasObjectExample(at: string): boolean {
  const schema = valueAt(document, at) as JsonObject;
  if (schema['type'] === 'object' && Array.isArray(schema['examples'])) return true;
  const parts = names(`${at}/properties`).map((name) => member(at, 'properties', name));
  if (schema['items'] !== undefined) parts.push(member(at, 'items'));
  return parts.some(hasObjectExample);
}

t.test('every JSON body and parameter has an example, and each is of its schema', async (t) => {
  for (const { at, value } of objects()) {
    if (value['schema'] === undefined || !/\/content\/[^/]+$/u.test(at)) continue;
    const schema = member(at, 'schema');
    const validate = compile(schema);
    const examples = examplesOf(at);
    if (at.endsWith('application~1json')) {
      t.ok(examples.length > 0 || hasObjectExample(schema), `${at} has an example`);
    }
    for (const example of examples) {
      t.ok(validate(valueAt(document, example)), `${example} ${JSON.stringify(validate.errors)}`);
    }
  }
  for (const { at, value } of objects()) {
    if (value['in'] === undefined || value['name'] === undefined) continue;
    const example = value['example'] ?? valueAt(document, member(at, 'schema', 'examples', 0));
    t.ok(compileText(member(at, 'schema'))(example), `${at} has a valid example`);
  }
  for (const { at, value } of objects()) {
    if (value['type'] === undefined || !Array.isArray(value['examples'])) continue;
    const validate = compile(at);
    for (const example of value['examples']) t.ok(validate(example), `${at}: ${String(example)}`);
  }
});

t.test('every failure is the error envelope, and tells its codes by their status', async (t) => {
  const check = responseValidator();
  const told = new Set<string>();
  for (const { at, operationId } of operations) {
    for (const status of names(`${at}/responses`).filter((status) => status >= '400')) {
      const response = member(at, 'responses', status);
      t.strictSame(names(`${response}/content`), ['application/json'], `${operationId} ${status}`);
      const media = `${response}/content/application~1json`;
      const schema = failureSchemaOf(operationId, status);
      t.equal(member(media, 'schema'), `#/components/schemas/${schema}`);
      if (schema === 'ErrorResponse') {
        const codes = codesByStatus(response).get(Number(status)) ?? [];
        t.ok(codes.length > 0, `${operationId} ${status} tells its code`);
        for (const code of codes) told.add(code);
        t.ok(
          codes.every((code) => errors[code].status === Number(status)),
          `${codes.join()}`,
        );
      }
      const mustWait = status === '429' || status === '503';
      const retryAfter = valueAt(document, member(response, 'headers', 'Retry-After', 'required'));
      t.equal(retryAfter === true, mustWait, `${operationId} ${status}: Retry-After`);
      for (const example of examplesOf(media)) {
        const headers = { 'content-type': 'application/json', 'retry-after': '1', ...limits };
        const body = valueAt(document, example);
        const answer = { operation: operationId, status: Number(status), headers, body };
        t.strictSame(check(answer), []);
      }
    }
  }
  const ofNoOperation = ['not_found', 'method_not_allowed'];
  t.strictSame([...told, ...ofNoOperation].sort(), [...publicErrorCodes].sort());
});

/** The codes that a response's description tells, by the status before them: "404 `not_found`". */
function codesByStatus(response: string): Map<number, ErrorCode[]> {
  const description = String(valueAt(document, `${response}/description`));
  const codes = new Map<number, ErrorCode[]>();
  let status = 0;
  for (const [, number, code] of description.matchAll(/\b(\d{3})\b|`([a-z_]+)`/gu)) {
    if (number !== undefined) status = Number(number);
    if (code === undefined || !Object.hasOwn(errors, code)) continue;
    codes.set(status, [...(codes.get(status) ?? []), code as ErrorCode]);
  }
  return codes;
}

t.test('credentials are security schemes only', async (t) => {
  for (const { at, value } of objects()) {
    if (value['in'] === undefined || at.includes('/securitySchemes/')) continue;
    t.notMatch(String(value['name']), /authorization|token|api[-_]?key|secret/iu, at);
  }
});

t.test('no way to authenticate is offered twice', async (t) => {
  for (const { at, value } of objects()) {
    const ways = value['security'] as JsonObject[] | undefined;
    if (!Array.isArray(ways)) continue;
    const names = ways.map((way) => JSON.stringify(way));
    t.strictSame(names, [...new Set(names)], `${at}/security`);
  }
});

t.test('no text of a request may hold U+0000 or an unpaired surrogate', async (t) => {
  for (const { at } of requestTexts()) {
    const validate = compile(at);
    const texts = validValue(document, at).filter(
      (value) => typeof value === 'string' && validate(value),
    ) as fc.Arbitrary<string>;
    const spoiled = fc.tuple(texts, fc.constantFrom('\0', '\ud83d', '\ude00'), fc.nat());
    fc.assert(
      fc.property(spoiled, ([text, bad, position]) => {
        const codePoints = [...text];
        codePoints.splice(position % (codePoints.length + 1), 0, bad);
        // A surrogate that meets its other half is a character again.
        const value = codePoints.join('');
        return !/[\0\p{Cs}]/u.test(value) || !validate(value);
      }),
      { seed, numRuns: 200 },
    );
    t.pass(at);
  }
});

/** The schemas of free texts that a caller may send. */
function* requestTexts(): Generator<{ at: string }> {
  const waiting = operations.flatMap(({ at, path }) => [
    `${at}/requestBody/content/application~1json/schema`,
    ...[at, pointer('paths', path)].flatMap((owner) =>
      names(`${owner}/parameters`).map((index) => member(owner, 'parameters', index, 'schema')),
    ),
  ]);
  const seen = new Set<string>();
  for (const next of waiting) {
    const at = follow(document, next);
    const schema = valueAt(document, at) as JsonObject | undefined;
    if (schema === undefined || seen.has(at)) continue;
    seen.add(at);
    waiting.push(
      ...names(`${at}/properties`).map((name) => `${at}${pointer('properties', name).slice(1)}`),
    );
    for (const keyword of ['oneOf', 'anyOf']) {
      waiting.push(...names(`${at}/${keyword}`).map((index) => `${at}/${keyword}/${index}`));
    }
    if (schema['items'] !== undefined) waiting.push(`${at}/items`);
    const types = [schema['type']].flat() as (Json | undefined)[];
    if (types.includes('string') && schema['enum'] === undefined) yield { at };
  }
}

t.test('the response check finds every difference from the document', async (t) => {
  const check = responseValidator();
  const held = pointer('paths', '/api/public/holds', 'post', 'responses', 201, 'content');
  const body = valueAt(document, `${held}/application~1json/example`) as JsonObject;
  const answer = {
    operation: 'POST /api/public/holds',
    status: 201,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      location: '/api/public/bookings/1',
      ...limits,
    },
    body: JSON.stringify(body),
  };
  const notFound = { ...answer, operation: 'GET /nowhere', status: 404, body: '{}' };
  t.strictSame(check(answer), []);
  t.strictSame(check({ ...answer, operation: 'createHold' }), []);
  t.match(check({ ...answer, status: 204 }), ['createHold: status 204 is not documented']);
  t.match(check({ ...answer, body: 'no' }), ['createHold 201: the body is no JSON']);
  t.match(check({ ...answer, body: { ...body, more: 1 } }), [/additional properties/u]);
  const { 'content-type': type, location, ...headers } = answer.headers;
  t.match(check({ ...answer, headers: { ...headers, location } }), [/content type none/u]);
  t.match(check({ ...answer, headers: { ...headers, 'content-type': type } }), [
    /Location is miss/u,
  ]);
  t.match(check({ ...answer, operation: 'GET /nowhere' }), ['GET /nowhere is not documented']);
  t.match(check(notFound), [/required property 'error'/u]);
  const limited = {
    operation: 'GET /api/public/bookings/x?y=1',
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': '0', ...limits },
    body: valueAt(document, '#/components/responses/RateLimited/content/application~1json/example'),
  };
  t.match(check(limited), [/Retry-After.*>= 1/u]);
  t.strictSame(check({ ...limited, headers: { ...limited.headers, 'retry-after': '7' } }), []);
});
