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
  type JsonObject,
} from '../support/document.js';
import { startService } from '../support/service.js';

const document = readDocument();
const compile = documentCompiler(document);
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

t.test(
  'the served document is openapi.yaml, and what a model needs first comes first',
  async (t) => {
    const { app } = await startService(t);
    const { body } = await app.inject('/api/public/openapi.json');
    t.ok(body.length <= 60_000, `a language model reads ${body.length} characters whole`);
    const served = JSON.parse(body) as JsonObject;
    const { servers, ...rest } = served;
    const { servers: _servers, ...written } = document;
    t.match(servers, [{ url: 'http://studio.test' }]);
    t.strictSame(rest, written);
    const order = Object.keys(served);
    t.strictSame(order.slice(0, 5), ['openapi', 'info', 'servers', 'security', 'paths']);
    t.equal(order.at(-1), 'components');
    t.strictSame(Object.keys(served['paths'] as JsonObject).slice(0, 4), [
      '/api/public/studio',
      '/api/public/availability',
      '/api/public/holds',
      '/api/public/bookings/{id}',
    ]);
    const firstSchemas = names('#/components/schemas').slice(0, 8);
    t.ok(['HoldRequest', 'Hold', 'Availability', 'Booking'].every((x) => firstSchemas.includes(x)));
    for (const { definition, operationId } of operations) {
      t.equal(Object.keys(definition).at(-1), 'responses', `${operationId}: what is sent is first`);
    }
  },
);

t.test('every operation can succeed, tells how it fails, and is short', async (t) => {
  for (const { at, definition, operationId } of operations) {
    t.match(operationId, /^[a-z][A-Za-z]+$/u);
    const { length } = String(definition['description'] ?? '');
    t.ok(length <= 300, `${operationId}: a custom GPT refuses ${length} characters`);
    for (const name of names(`${at}/parameters`)) {
      const text = String(valueAt(document, member(at, 'parameters', name, 'description')));
      t.ok(text.length <= 700, `${operationId}: a custom GPT refuses ${text.length} characters`);
    }
    const statuses = names(`${at}/responses`);
    t.ok(
      statuses.some((status) => status < '300'),
      operationId,
    );
    for (const status of ['408', '429', '431', '500', '503']) {
      t.ok(statuses.includes(status), `${operationId} has ${status}`);
    }
    for (const status of ['413', '415']) {
      const hasBody = definition['requestBody'] !== undefined;
      t.equal(statuses.includes(status), hasBody, `${operationId}: ${status}`);
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

t.test('every JSON body has an example', async (t) => {
  for (const { at } of objects()) {
    if (!at.endsWith('/content/application~1json')) continue;
    t.ok(examplesOf(at).length > 0 || hasObjectExample(member(at, 'schema')), at);
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

t.test(
  'credentials are security schemes, and each way to authenticate is offered once',
  async (t) => {
    for (const { at, value } of objects()) {
      if (value['in'] !== undefined && !at.includes('/securitySchemes/')) {
        t.notMatch(String(value['name']), /authorization|token|api[-_]?key|secret/iu, at);
      }
      if (!Array.isArray(value['security'])) continue;
      const ways = value['security'].map((way) => JSON.stringify(way));
      t.strictSame(ways, [...new Set(ways)], `${at}/security`);
    }
  },
);

t.test('no pattern allows U+0000 or an unpaired surrogate', async (t) => {
  for (const { at, value } of objects()) {
    if (typeof value['pattern'] !== 'string') continue;
    const validate = compile(at);
    const texts = validValue(document, at).filter(
      (text) => typeof text === 'string' && validate(text),
    ) as fc.Arbitrary<string>;
    const spoiled = fc.tuple(texts, fc.constantFrom('\0', '\ud83d', '\ude00'), fc.nat());
    const isRefused = fc.property(spoiled, ([text, bad, position]) => {
      const codePoints = [...text];
      codePoints.splice(position % (codePoints.length + 1), 0, bad);
      // A surrogate that meets its other half is a character again.
      const changed = codePoints.join('');
      return !/[\0\p{Cs}]/u.test(changed) || !validate(changed);
    });
    const outcome = fc.check(isRefused, { seed, numRuns: 100 });
    t.notOk(outcome.failed, `${at} ${JSON.stringify(outcome.counterexample)}`);
  }
});

t.test('the check of responses, on which other tests rely, finds differences', async (t) => {
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
  t.strictSame(check(answer), []);
  const { location: _location, ...headers } = answer.headers;
  const notFound = { ...answer, operation: 'GET /nowhere', status: 404, body: '{}' };
  const limited = { ...answer.headers, 'content-type': 'application/json', 'retry-after': '0' };
  const different: [change: object, problem: RegExp][] = [
    [{ status: 204 }, /^createHold: status 204 is not documented/u],
    [{ body: 'no' }, /^createHold 201: the body is no JSON/u],
    [{ body: { ...body, more: 1 } }, /additional properties/u],
    [{ headers }, /Location is miss/u],
    [notFound, /required property 'error'/u],
    [{ status: 429, headers: limited }, /Retry-After.*>= 1/u],
  ];
  for (const [change, problem] of different) {
    t.match(check({ ...answer, ...change }).join('\n'), problem, problem.source);
  }
});
