import fc from 'fast-check';
import t, { type Test } from 'tap';
import * as schemas from '../../generated/schemas.js';
import { operations, type OperationId } from '../../generated/operations.js';
import { createValidatorCompiler } from '../../src/http/validation.js';
import { seed, validValue } from '../support/arbitraries.js';
import {
  documentCompiler,
  failureSchemaOf,
  follow,
  listOperations,
  pointer,
  readDocument,
  valueAt,
  type DocumentedOperation,
  type Json,
  type JsonObject,
} from '../support/document.js';
import { mutant } from '../support/mutants.js';

const document = readDocument();
const compileDocument = documentCompiler(document);
const compileGenerated = createValidatorCompiler();
const compileText = documentCompiler(document, { coerceTypes: true });
const runs = 1000;
const parameterParts = [
  ['path', 'params'],
  ['query', 'querystring'],
  ['header', 'headers'],
] as const;

type Check = (value: unknown) => unknown;

interface Parameter {
  name: string;
  isRequired: boolean;
  schemaAt: string;
}

function generatedCheck(schema: unknown, httpPart: string): Check {
  return compileGenerated({ schema: schema as object, httpPart, method: 'POST', url: '/' });
}

/** Valid values and their mutants, each judged by both; enough of either verdict must occur. */
function agree(t: Test, values: fc.Arbitrary<Json>, documented: Check, generated: Check): void {
  const verdicts = { accepted: 0, refused: 0 };
  const property = fc.property(values, (value) => {
    const expected = documented(structuredClone(value));
    verdicts[expected ? 'accepted' : 'refused'] += 1;
    return generated(structuredClone(value)) === expected;
  });
  const outcome = fc.check(property, { seed, numRuns: runs });
  t.notOk(outcome.failed, JSON.stringify(outcome.counterexample) ?? 'both agree');
  t.ok(verdicts.accepted >= 20, `${verdicts.accepted} values were accepted`);
  t.ok(verdicts.refused >= 20, `${verdicts.refused} values were refused`);
}

function withMutants(values: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc.oneof(values, values.chain(mutant), values.chain(mutant).chain(mutant));
}

t.strictSame(
  Object.keys(operations).sort(),
  listOperations(document)
    .map((operation) => operation.operationId)
    .sort(),
  'every operation of the document is generated, and no other',
);

interface RouteSchema {
  params?: unknown;
  querystring?: unknown;
  headers?: unknown;
  body?: unknown;
  response: Record<string, unknown>;
}

for (const operation of listOperations(document)) {
  const route = operations[operation.operationId as OperationId];
  const schema: RouteSchema = route.schema;

  t.test(`${operation.operationId} is generated completely`, async (t) => {
    t.equal(route.method, operation.method);
    t.equal(route.url, operation.path.replaceAll(/\{(\w+)\}/gu, ':$1'));
    for (const [location, part] of parameterParts) {
      const isDocumented = listParameters(operation, location).length > 0;
      t.equal(schema[part] !== undefined, isDocumented, `${part} is there when documented`);
    }
    t.equal(schema.body !== undefined, operation.definition['requestBody'] !== undefined);
    const checked = Object.keys(operation.definition['responses'] as JsonObject).filter(
      (status) => {
        const at = responseAt(operation, status);
        return jsonSchemaAt(at) !== undefined || valueAt(document, `${at}/content`) === undefined;
      },
    );
    t.strictSame(Object.keys(schema.response), checked, 'all but streams have a response schema');
  });

  for (const [location, part] of parameterParts) {
    const parameters = listParameters(operation, location);
    if (parameters.length === 0) continue;
    t.test(
      `${operation.operationId} accepts and rejects the same ${part} as the document`,
      async (t) => {
        const values = parameterValues(parameters, location);
        agree(t, values, parameterCheck(parameters, location), generatedCheck(schema[part], part));
      },
    );
  }

  const bodyAt = jsonSchemaAt(follow(document, `${operation.at}/requestBody`));
  if (bodyAt !== undefined) {
    t.test(
      `${operation.operationId} accepts and rejects the same bodies as the document`,
      async (t) => {
        const values = withMutants(validValue(document, bodyAt));
        agree(t, values, compileDocument(bodyAt), generatedCheck(schema.body, 'body'));
      },
    );
  }

  t.test(`${operation.operationId} fails with the error envelope`, async (t) => {
    for (const [status, response] of Object.entries(schema.response)) {
      if (status < '400') continue;
      t.equal(response, schemas[failureSchemaOf(operation.operationId, status)], status);
    }
  });
}

function responseAt(operation: DocumentedOperation, status: string): string {
  return follow(document, `${operation.at}/responses/${status}`);
}

function jsonSchemaAt(at: string): string | undefined {
  const schemaAt = `${at}${pointer('content', 'application/json', 'schema').slice(1)}`;
  return valueAt(document, schemaAt) === undefined ? undefined : schemaAt;
}

function listParameters(operation: DocumentedOperation, location: string): Parameter[] {
  const item = pointer('paths', operation.path);
  return [item, operation.at].flatMap((owner) =>
    Object.keys((valueAt(document, `${owner}/parameters`) ?? []) as Json[])
      .map((index) => follow(document, `${owner}/parameters/${index}`))
      .map((at) => ({ at, parameter: valueAt(document, at) as JsonObject }))
      .filter(({ parameter }) => parameter['in'] === location)
      .map(({ at, parameter }) => ({
        name:
          location === 'header'
            ? String(parameter['name']).toLowerCase()
            : String(parameter['name']),
        isRequired: parameter['required'] === true,
        schemaAt: `${at}/schema`,
      })),
  );
}

/** Parameters as they arrive: every value is text, or a list where a name is repeated. */
function parameterValues(parameters: Parameter[], location: string): fc.Arbitrary<Json> {
  const members = parameters.map(({ name, schemaAt }): [string, fc.Arbitrary<Json>] => [
    name,
    validValue(document, schemaAt),
  ]);
  const valid = fc.record(Object.fromEntries(members), {
    requiredKeys: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    noNullPrototype: true,
  }) as fc.Arbitrary<Json>;
  const mutants = valid.chain(mutant).map((value) => (isPlainObject(value) ? value : {}));
  const asText = (value: Json): Json => (Array.isArray(value) ? value.map(String) : String(value));
  return fc.oneof(valid, mutants).map((value) => {
    const entries = Object.entries(value as JsonObject).map(([name, member]) => [
      location === 'header' ? name.toLowerCase() : name,
      asText(member),
    ]);
    return Object.fromEntries(entries) as Json;
  });
}

function isPlainObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An unknown query parameter is refused (contract, "Conventions"); an unknown header is not. */
function parameterCheck(parameters: Parameter[], location: string): Check {
  return (value) => {
    const sent = value as JsonObject;
    const isKnown = (name: string): boolean => parameters.some((known) => known.name === name);
    return (
      (location === 'header' || Object.keys(sent).every(isKnown)) &&
      parameters.every(({ name, isRequired, schemaAt }) =>
        Object.hasOwn(sent, name) ? compileText(schemaAt)(sent[name]) : !isRequired,
      )
    );
  };
}
