import fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { Type, type TSchema } from '@sinclair/typebox';
import { operations } from '../../generated/operations.js';
import { OneOf } from '../../generated/schemas.js';
import type { ErrorDetail } from '../../src/errors.js';
import {
  createValidatorCompiler,
  describeValidationErrors,
  maximumDetails,
  type RequestPart,
} from '../../src/http/validation.js';
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

/** A service whose routes answer with what their handlers were given. */
async function start(t: Test): Promise<FastifyInstance> {
  const app = Fastify();
  app.setValidatorCompiler(createValidatorCompiler());
  for (const { method, url, schema } of Object.values(operations)) {
    const { response: _, ...parts } = schema;
    app.route({
      method,
      url,
      schema: parts,
      handler: (request, reply) => {
        const { body, query, params } = request;
        return reply.send({ body, query, params });
      },
    });
  }
  app.setErrorHandler<Parameters<typeof describe>[0]>((error, _request, reply) =>
    reply.code(400).send(describe(error)),
  );
  t.teardown(() => app.close());
  return app;
}

function describe(error: {
  validation?: Parameters<typeof describeValidationErrors>[0];
  validationContext?: RequestPart;
  message: string;
}): unknown {
  const { validation = [], validationContext = 'body', message } = error;
  return { details: describeValidationErrors(validation, validationContext), validation, message };
}

t.test('a body arrives as it was sent: nothing coerced, removed or added', async (t) => {
  const app = await start(t);
  const sent = { ...hold, pronouns: null, idea: '😀'.repeat(2000) };
  const answer = await app.inject({ method: 'POST', url: '/api/public/holds', payload: sent });
  t.equal(answer.statusCode, 200);
  t.strictSame(answer.json().body, sent);
});

t.test('query parameters are converted to their types, and unknown ones rejected', async (t) => {
  const app = await start(t);
  const url = '/api/public/availability?from=2026-12-01&to=2026-12-07';
  t.strictSame((await app.inject(url)).json().query, { from: '2026-12-01', to: '2026-12-07' });
  t.strictSame((await app.inject(`${url}&form=1`)).json().details, [
    {
      path: 'query.form',
      message: 'is not known, so remove "form"; known are: from, to, time_slot',
    },
  ]);
  t.strictSame((await app.inject(`${url}&to=2026-12-08`)).json().details, [
    { path: 'query.to', message: 'must be a string' },
  ]);
  t.strictSame((await app.inject('/api/public/availability?to=2026-02-30')).json().details, [
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
  const member = (schema: TSchema, value: unknown): string | undefined =>
    details(schema, 'body', value)[0]?.message;
  t.equal(member(list, []), 'must have at least 1 item');
  t.equal(member(list, ['a', 'b', 'c']), 'must have at most 2 items');
  t.equal(member(list, ['a', 'a']), 'must not list an item twice');
  t.strictSame(details(list, 'body', ['a', 1]), [{ path: 'body[1]', message: 'must be a string' }]);
  t.equal(member(Type.Integer({ minimum: 1 }), 0), 'must be >= 1');
  t.equal(member(Type.Number({ exclusiveMaximum: 1 }), 1), 'must be < 1');
  t.equal(member(Type.Integer({ multipleOf: 5 }), 1), 'must be a multiple of 5');
  t.equal(member(Type.String({ minLength: 2 }), 'a'), 'must have at least 2 characters');
  t.equal(member(Type.String({ pattern: '^a$' }), 'b'), 'does not have the documented form');
  t.equal(member(Type.Object({}, { minProperties: 1 }), {}), 'must have at least 1 member');
  t.equal(
    member(Type.Object({}, { maxProperties: 1 }), { a: 1, b: 2 }),
    'must have at most 1 member',
  );
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

t.test('no response to an invalid request contains a submitted value', async (t) => {
  const secret = 'Zq7-secret';
  const app = await start(t);
  const spoiled = (value: Json): Json =>
    JSON.parse(JSON.stringify(value), (_, inner: Json) =>
      typeof inner === 'string' ? `${inner}${secret}` : inner,
    ) as Json;
  const bodies = validValue(readDocument(), '#/components/schemas/HoldRequest').chain(mutant);
  const outcome = await fc.check(
    fc.asyncProperty(bodies, async (body) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/public/holds',
        headers: { 'content-type': 'application/json', 'idempotency-key': `é${secret}` },
        payload: JSON.stringify(spoiled(body)),
      });
      return !answer.body.includes(secret);
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
