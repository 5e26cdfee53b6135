import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { Type } from '@sinclair/typebox';
import Fastify from 'fastify';
import t from 'tap';
import { operations, type OperationId } from '../../generated/operations.js';
import { seed, validValue } from '../support/arbitraries.js';
import {
  documentCompiler,
  follow,
  listOperations,
  readDocument,
  valueAt,
  type Json,
} from '../support/document.js';

const document = readDocument();
const compile = documentCompiler(document);

for (const { operationId, at } of listOperations(document)) {
  const { method, url, schema } = operations[operationId as OperationId];
  const responses: Record<string, unknown> = schema.response;
  for (const status of Object.keys(responses)) {
    const response = follow(document, `${at}/responses/${status}`);
    const schemaAt = `${response}/content/application~1json/schema`;
    if (valueAt(document, schemaAt) === undefined) continue;
    t.test(`${operationId} ${status} is serialized without loss`, async (t) => {
      const app = Fastify();
      t.teardown(() => app.close());
      let sent: Json = null;
      app.route({
        method,
        url,
        schema: { response: responses },
        handler: (_request, reply) => reply.code(Number(status)).send(sent),
      });
      const documented = compile(schemaAt);
      const values = validValue(document, schemaAt).filter((value) => documented(value));
      const path = url.replaceAll(/:\w+/gu, 'x');
      const outcome = await fc.check(
        fc.asyncProperty(values, async (value) => {
          sent = value;
          return isDeepStrictEqual((await app.inject({ method, url: path })).json(), value);
        }),
        { seed, numRuns: 30 },
      );
      t.notOk(outcome.failed, JSON.stringify(outcome.counterexample) ?? 'nothing was dropped');
    });
  }
}

t.test('a response without content has an empty body', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  const schema = { response: { 202: Type.Null() } };
  app.post('/', { schema }, (_request, reply) => reply.code(202).send());
  const answer = await app.inject({ method: 'POST', url: '/' });
  t.strictSame([answer.statusCode, answer.body], [202, '']);
});
