import { Type, type TSchema } from '@sinclair/typebox';
import fc from 'fast-check';
import t from 'tap';
import { operations } from '../../generated/operations.js';
import { OneOf } from '../../generated/schemas.js';
import type { ErrorDetail } from '../../src/errors.js';
import { preferredWaitSeconds } from '../../src/http/handlers.js';
import {
  createValidatorCompiler,
  describeValidationErrors,
  maximumDetails,
  type RequestPart,
} from '../../src/web/validation.js';
import { seed, validValue } from '../support/arbitraries.js';
import { readDocument, type Json } from '../support/document.js';
import { mutant } from '../support/mutants.js';

const hold = {
  date: '2026-12-01',
  time_slot: '1:00 PM',
  name: 'Ada Park',
  email: 'ada@example.com',
  phone: '(555) 555-0142',
};

const compile = createValidatorCompiler();

/** The details of what is wrong with the value, or an empty list. */
function details(schema: TSchema, httpPart: RequestPart, value: unknown): ErrorDetail[] {
  const validate = compile({ schema, httpPart, method: 'POST', url: '/' });
  return validate(value) === true ? [] : describeValidationErrors(validate.errors ?? [], httpPart);
}

function holdDetails(changes: object): ErrorDetail[] {
  return details(operations.createHold.schema.body, 'body', { ...hold, ...changes });
}

t.test('query parameters are converted to their types, and unknown ones rejected', async (t) => {
  const range = { from: '2026-12-01', to: '2026-12-07' };
  const wrong = (query: object) =>
    details(operations.listAvailability.schema.querystring, 'querystring', query);
  t.strictSame(wrong(range), []);
  const unknown = 'is not known, so remove "form"; known are: from, to, time_slot, artist';
  t.strictSame(wrong({ ...range, form: '1' }), [{ path: 'query.form', message: unknown }]);
  t.strictSame(wrong({ ...range, to: ['2026-12-07', '2026-12-08'] }), [
    { path: 'query.to', message: 'must be a string' },
  ]);
  t.strictSame(wrong({ to: '2026-02-30' }), [
    { path: 'query.from', message: 'is required and missing' },
    { path: 'query.to', message: 'must be a date that exists in the calendar, YYYY-MM-DD' },
  ]);
  const count = Type.Object({ count: Type.Integer() });
  t.strictSame(details(count, 'querystring', { count: '5' }), []);
  t.strictSame(details(count, 'body', { count: '5' }), [
    { path: 'body.count', message: 'must be an integer' },
  ]);
});

t.test('an id is a plain UUID, without the prefix urn:', async (t) => {
  const schema = operations.getBooking.schema.params;
  const id = '0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11';
  t.strictSame(details(schema, 'params', { id }), []);
  for (const bad of [`urn:uuid:${id}`, id.slice(1), `${id}\n`, '']) {
    t.strictSame(details(schema, 'params', { id: bad }), [
      { path: 'path.id', message: 'must be a UUID' },
    ]);
  }
});

t.test('an error names the member as JavaScript would, and what a key must be', async (t) => {
  t.match(holdDetails({ 'a b': 1 }), [
    { path: 'body["a b"]', message: /^is not known, so remove "a b";/ },
  ]);
  t.strictSame(details(operations.createHold.schema.body, 'body', []), [
    { path: 'body', message: 'must be an object' },
  ]);
  // It goes on within a sentence of the message.
  const [key] = details(operations.createHold.schema.headers, 'headers', {
    'idempotency-key': 'é',
  });
  t.match(key?.message, /^must be as documented: A new random UUID.*[^.]$/u);
});

t.test('all errors of a request are listed, up to a limit', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, index]));
  t.equal(details(operations.createHold.schema.body, 'body', {}).length, 5, 'one per member');
  t.equal(holdDetails(many).length, maximumDetails);
  const [detail] = holdDetails({ [`\n${'n'.repeat(100_000)}`]: 1 });
  t.ok(JSON.stringify(detail).length < 400, 'a long name is cut');
  t.notMatch(JSON.stringify(detail), /\\n|\\u000a/u, 'and made printable');
});

t.test('every keyword that the generator accepts has its message', async (t) => {
  const list = Type.Array(Type.String(), { minItems: 1, maxItems: 2, uniqueItems: true });
  const cases: [schema: TSchema, value: unknown, message: string, path?: string][] = [
    [list, [], 'must have at least 1 item'],
    [list, ['a', 'b', 'c'], 'must have at most 2 items'],
    [list, ['a', 'a'], 'must not list an item twice'],
    [list, ['a', 1], 'must be a string', 'body[1]'],
    [Type.Integer({ minimum: 1 }), 0, 'must be >= 1'],
    [Type.Number({ exclusiveMaximum: 1 }), 1, 'must be < 1'],
    [Type.Integer({ multipleOf: 5 }), 1, 'must be a multiple of 5'],
    [Type.String({ minLength: 2 }), 'a', 'must have at least 2 characters'],
    [Type.String({ pattern: '^a$' }), 'b', 'does not have the documented form'],
    [Type.Object({}, { minProperties: 1 }), {}, 'must have at least 1 member'],
    [Type.Object({}, { maxProperties: 1 }), { a: 1, b: 2 }, 'must have at most 1 member'],
  ];
  for (const [schema, value, message, path = 'body'] of cases) {
    t.strictSame(details(schema, 'body', value), [{ path, message }]);
  }
});

t.test('for alternatives, the errors of the closest one are listed', async (t) => {
  const closed = { additionalProperties: false };
  const circle = Type.Object({ radius: Type.Number() }, closed);
  const box = Type.Object({ width: Type.Number(), height: Type.Number() }, closed);
  const shape = Type.Object({ shape: OneOf([circle, box, Type.Null()]) });
  t.strictSame(details(shape, 'body', { shape: { width: 1, height: '2' } }), [
    { path: 'body.shape.height', message: 'must be a number' },
  ]);
  t.strictSame(details(shape, 'body', { shape: 'circle' }), [
    { path: 'body.shape', message: 'does not have the documented form' },
  ]);
});

t.test('what is said of an invalid request contains no submitted value', async (t) => {
  const secret = 'Zq7-secret';
  const spoiled = (value: Json): Json =>
    JSON.parse(JSON.stringify(value), (_, inner: Json) =>
      typeof inner === 'string' ? `${inner}${secret}` : inner,
    ) as Json;
  const { body: bodySchema, headers: headersSchema } = operations.createHold.schema;
  const bodies = validValue(readDocument(), '#/components/schemas/HoldRequest').chain(mutant);
  const outcome = fc.check(
    fc.property(bodies, (body) => {
      const headers = { 'idempotency-key': `é${secret}` };
      const said = [
        ...details(bodySchema, 'body', spoiled(body)),
        ...details(headersSchema, 'headers', headers),
      ];
      return said.length > 1 && !JSON.stringify(said).includes(secret);
    }),
    { seed, numRuns: 200 },
  );
  t.notOk(outcome.failed, JSON.stringify(outcome.counterexample) ?? 'none did');
});

t.test('validation takes time linear in the length of the body', async (t) => {
  const size = 250_000;
  const texts = ['a', '0', ' ', '(', '1 ', 'a.', 'a@', '-', '\0', '\ud800', '😀', '+1'];
  const duration = (units: number): number => {
    // The processor's time and not the wall's: a busy machine makes nothing quadratic.
    const started = process.cpuUsage();
    for (const text of texts) {
      const long = text.repeat(units / text.length);
      const email = `a@${long}`;
      holdDetails({ date: long, name: `x${long}`, email, phone: long, pronouns: long, idea: long });
      holdDetails({ email: `${long}@`, phone: `5${long}`, name: ` ${long}` });
    }
    return process.cpuUsage(started).user / 1e3;
  };
  duration(size / 100);
  const short = duration(size / 10);
  const long = duration(size);
  // Ten times the length: a quadratic pattern would take a hundred times as long.
  t.ok(long < short * 40 + 200, `${short.toFixed(1)} ms, and ${long.toFixed(1)} ms for ten times`);
});

t.test('only a well-formed preference is applied, and the first one counts', async (t) => {
  const cases: [string | undefined, number | null][] = [
    [undefined, null],
    ['', null],
    ['wait=10', 10],
    ['WAIT = 10', 10],
    ['wait="10"', 10],
    ['wait=0', 0],
    ['wait=51', 50],
    ['wait=60', 50],
    ['wait=99999999999999999999', 50],
    ['wait=5, wait=10', 5],
    ['wait=x, wait=10', null],
    ['wait', null],
    ['wait=-1', null],
    ['wait=1.5', null],
    ['await=10', null],
    ['foo="a, wait=5", wait=10', 10],
    ['foo; bar="wait=5", handling=lenient;x=y, wait=7;z', 7],
  ];
  for (const [header, seconds] of cases) {
    t.equal(preferredWaitSeconds(header), seconds, String(header));
  }
});
