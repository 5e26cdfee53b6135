import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
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
const app = Fastify();
t.teardown(() => app.close());
/** What every route responds with. */
let sent: { status: number; value?: Json };
for (const { method, url, schema } of Object.values(operations)) {
  const response: Record<string, unknown> = schema.response;
  app.route({
    method,
    url,
    schema: { response },
    handler: (_request, reply) => reply.code(sent.status).send(sent.value),
  });
}

t.test('every documented response is serialized without loss', async (t) => {
  for (const { operationId, at } of listOperations(document)) {
    const { method, url, schema } = operations[operationId as OperationId];
    const address = { method, url: url.replaceAll(/:\w+/gu, 'x') };
    for (const status of Object.keys(schema.response).map(Number)) {
      const name = `${operationId} ${status}`;
      const response = follow(document, `${at}/responses/${status}`);
      const schemaAt = `${response}/content/application~1json/schema`;
      if (valueAt(document, schemaAt) === undefined) {
        sent = { status };
        const { statusCode, body } = await app.inject(address);
        t.strictSame([statusCode, body], [status, ''], `${name} has an empty body`);
        continue;
      }
      const values = validValue(document, schemaAt).filter((value) => compile(schemaAt)(value));
      const outcome = await fc.check(
        fc.asyncProperty(values, async (value) => {
          sent = { status, value };
          return isDeepStrictEqual((await app.inject(address)).json(), value);
        }),
        { seed, numRuns: status < 400 ? 30 : 5 },
      );
      t.notOk(outcome.failed, `${name} ${JSON.stringify(outcome.counterexample)}`);
    }
  }
});
