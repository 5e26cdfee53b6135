import { isDeepStrictEqual } from 'node:util';
import {
  asObject,
  listOperations,
  resolve,
  type Json,
  type JsonObject,
  type Operation,
} from '../generate/document.js';
import { compareSchemas, missing, type Comparison, type Direction } from './schemas.js';

/**
 * Lists the breaking changes from the released contract to the current one: removals, new
 * requirements, input that is no longer accepted, and output that was not possible before.
 */
export function findBreakingChanges(released: JsonObject, current: JsonObject): string[] {
  const problems = new Set<string>();
  const comparison = { released, current, report: (problem: string) => problems.add(problem) };
  const operations = listOperations(current);
  for (const operation of listOperations(released)) {
    const name = `${operation.method} ${operation.path}`;
    const counterpart = operations.find(
      ({ method, path }) => method === operation.method && path === operation.path,
    );
    if (counterpart === undefined) problems.add(`${name} was removed`);
    else compareOperations(comparison, operation, counterpart, name);
  }
  compareWebhooks(comparison);
  for (const name of missing(schemaNames(released), schemaNames(current))) {
    problems.add(`the type ${name} was removed`);
  }
  return [...problems];
}

function compareOperations(
  comparison: Comparison,
  released: Operation,
  current: Operation,
  name: string,
): void {
  const { report } = comparison;
  if (released.operationId !== current.operationId) {
    report(`${name}: operationId was ${released.operationId}, is ${current.operationId}`);
  }
  compareParameters(comparison, released, current, name);
  compareBodies(comparison, released.definition, current.definition, name, 'input');
  compareResponses(comparison, released.definition, current.definition, name);
  const securityOf = (document: JsonObject, { definition }: Operation) =>
    ((definition['security'] ?? document['security'] ?? [{}]) as Json[]).map((item) =>
      JSON.stringify(item),
    );
  const before = securityOf(comparison.released, released);
  for (const removed of missing(before, securityOf(comparison.current, current))) {
    report(
      `${name}: ${removed === '{}' ? 'a credential is required now' : `${removed} is not accepted`}`,
    );
  }
}

function compareParameters(
  comparison: Comparison,
  released: Operation,
  current: Operation,
  name: string,
): void {
  const { report } = comparison;
  const find = ({ parameters }: Operation, wanted: JsonObject) =>
    parameters.find((other) => parameterName(other) === parameterName(wanted));
  for (const parameter of released.parameters) {
    const where = `${name}, ${parameterName(parameter)}`;
    const counterpart = find(current, parameter);
    if (counterpart === undefined) {
      report(`${where} was removed`);
      continue;
    }
    for (const keyword of ['style', 'explode', 'content']) {
      if (!isDeepStrictEqual(parameter[keyword], counterpart[keyword]))
        report(`${where}: ${keyword} was changed`);
    }
    compareSchemas(comparison, parameter['schema'], counterpart['schema'], where, 'input');
  }
  for (const parameter of current.parameters) {
    const isRequired = parameter['required'] === true;
    if (isRequired && find(released, parameter)?.['required'] !== true) {
      report(`${name}, ${parameterName(parameter)} is required now`);
    }
  }
}

function compareBodies(
  comparison: Comparison,
  released: JsonObject,
  current: JsonObject,
  name: string,
  direction: Direction,
): void {
  const before = bodyOf(comparison.released, released, name);
  const after = bodyOf(comparison.current, current, name);
  if (after['required'] === true && before['required'] !== true) {
    comparison.report(`${name}: a body is required now`);
  }
  compareContent(comparison, before, after, `${name}, body`, direction);
}

function compareResponses(
  comparison: Comparison,
  released: JsonObject,
  current: JsonObject,
  name: string,
): void {
  const { report } = comparison;
  const before = asObject(released['responses'] ?? {}, name);
  const after = asObject(current['responses'] ?? {}, name);
  for (const status of missing(Object.keys(before), Object.keys(after))) {
    report(`${name}: the answer ${status} was removed`);
  }
  for (const status of missing(Object.keys(after), Object.keys(before))) {
    if (status.startsWith('2')) report(`${name}: the answer ${status} is new`);
  }
  for (const status of Object.keys(before)) {
    if (after[status] === undefined) continue;
    const where = `${name} ${status}`;
    const a = resolve(comparison.released, before[status], where);
    const b = resolve(comparison.current, after[status], where);
    compareHeaders(comparison, a, b, where);
    compareContent(comparison, a, b, where, 'output');
  }
}

function compareHeaders(
  comparison: Comparison,
  released: JsonObject,
  current: JsonObject,
  name: string,
): void {
  const after = asObject(current['headers'] ?? {}, name);
  for (const [header, value] of Object.entries(asObject(released['headers'] ?? {}, name))) {
    const where = `${name}, header ${header}`;
    if (after[header] === undefined) {
      comparison.report(`${where} was removed`);
      continue;
    }
    const a = resolve(comparison.released, value, where);
    const b = resolve(comparison.current, after[header], where);
    if (a['required'] === true && b['required'] !== true) {
      comparison.report(`${where} may be left out now`);
    }
    compareSchemas(comparison, a['schema'], b['schema'], where, 'output');
  }
}

function compareContent(
  comparison: Comparison,
  released: JsonObject,
  current: JsonObject,
  where: string,
  direction: Direction,
): void {
  const before = asObject(released['content'] ?? {}, where);
  const after = asObject(current['content'] ?? {}, where);
  for (const [type, media] of Object.entries(before)) {
    const counterpart = after[type] as JsonObject | undefined;
    if (counterpart === undefined) comparison.report(`${where}: ${type} was removed`);
    else {
      compareSchemas(
        comparison,
        (media as JsonObject)['schema'],
        counterpart['schema'],
        where,
        direction,
      );
    }
  }
}

/** Webhook bodies are output: the service sends them. */
function compareWebhooks(comparison: Comparison): void {
  const after = asObject(comparison.current['webhooks'] ?? {}, 'webhooks');
  for (const [name, item] of Object.entries(
    asObject(comparison.released['webhooks'] ?? {}, 'webhooks'),
  )) {
    const [a, b] = [item as JsonObject, after[name] as JsonObject | undefined];
    if (b?.['post'] === undefined) comparison.report(`webhook ${name} was removed`);
    else {
      const [before, now] = [asObject(a['post'], name), asObject(b['post'], name)];
      compareBodies(comparison, before, now, `webhook ${name}`, 'output');
    }
  }
}

function bodyOf(document: JsonObject, definition: JsonObject, where: string): JsonObject {
  return resolve(document, definition['requestBody'] ?? {}, where);
}

function parameterName(parameter: JsonObject): string {
  const name = String(parameter['name']);
  return `${String(parameter['in'])} ${parameter['in'] === 'header' ? name.toLowerCase() : name}`;
}

function schemaNames(document: JsonObject): string[] {
  const components = asObject(document['components'] ?? {}, 'components');
  return Object.keys(asObject(components['schemas'] ?? {}, 'schemas'));
}
