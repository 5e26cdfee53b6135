import fc from 'fast-check';
import t, { type Test } from 'tap';
import { operations, type OperationId } from '../../generated/operations.js';
import * as schemas from '../../generated/schemas.js';
import { createValidatorCompiler } from '../../src/web/validation.js';
import { seed, validValue } from '../support/arbitraries.js';
import {
  documentCompiler,
  failureSchemaOf,
  follow,
  listOperations,
  listParameters,
  pointer,
  readDocument,
  valueAt,
  type Json,
  type JsonObject,
  type Parameter,
} from '../support/document.js';
import { mutant } from '../support/mutants.js';

const document = readDocument();
const compileDocument = documentCompiler(document);
const compileGenerated = createValidatorCompiler();
const compileText = documentCompiler(document, { coerceTypes: true });
const runs = 500;
const parameterParts = [
  ['path', 'params'],
  ['query', 'querystring'],
  ['header', 'headers'],
] as const;

type Check = (value: unknown) => unknown;

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
  const { operationId, at } = operation;
  const route = operations[operationId as OperationId];
  const schema: RouteSchema = route.schema;

  t.test(`${operationId} is generated completely`, async (t) => {
    t.equal(route.method, operation.method);
    t.equal(route.url, operation.path.replaceAll(/\{(\w+)\}/gu, ':$1'));
    t.equal(schema.body !== undefined, operation.definition['requestBody'] !== undefined);
    const checked = Object.keys(operation.definition['responses'] as JsonObject).filter(
      (status) => {
        const response = follow(document, `${at}/responses/${status}`);
        const content = valueAt(document, `${response}/content`);
        return content === undefined || jsonSchemaAt(response) !== undefined;
      },
    );
    t.strictSame(Object.keys(schema.response), checked, 'all but streams have a response schema');
    for (const status of checked.filter((status) => status >= '400')) {
      const envelope = schemas[failureSchemaOf(operationId, status)];
      t.equal(schema.response[status], envelope, `${status} has the error envelope`);
    }
  });

  t.test(`${operationId} accepts and rejects the same requests as the document`, async (t) => {
    for (const [location, part] of parameterParts) {
      const parameters = listParameters(document, operation, location).map((parameter) => ({
        ...parameter,
        // As Node gives them.
        name: location === 'header' ? parameter.name.toLowerCase() : parameter.name,
      }));
      t.equal(schema[part] !== undefined, parameters.length > 0, `${part} where documented`);
      if (parameters.length === 0) continue;
      const values = parameterValues(parameters, location);
      agree(t, values, parameterCheck(parameters, location), generatedCheck(schema[part], part));
    }
    const bodyAt = jsonSchemaAt(follow(document, `${at}/requestBody`));
    if (bodyAt === undefined) return;
    const values = validValue(document, bodyAt);
    const changed = fc.oneof(values, values.chain(mutant), values.chain(mutant).chain(mutant));
    agree(t, changed, compileDocument(bodyAt), generatedCheck(schema.body, 'body'));
  });
}

function jsonSchemaAt(at: string): string | undefined {
  const schemaAt = `${at}${pointer('content', 'application/json', 'schema').slice(1)}`;
  return valueAt(document, schemaAt) === undefined ? undefined : schemaAt;
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

/** An unknown query parameter is refused (openapi.yaml); an unknown header is not. */
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
