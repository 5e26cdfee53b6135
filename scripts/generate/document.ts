import { parseDocument } from 'yaml';

export type Json = string | number | boolean | null | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };

/** The methods of an OpenAPI path item, in output order. */
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** An operation with the parameters of its path item. */
export interface Operation {
  operationId: string;
  method: string;
  path: string;
  parameters: JsonObject[];
  definition: JsonObject;
}

/** Parses the YAML text strictly: a repeated key or a warning is an error. */
export function parseOpenApi(text: string): JsonObject {
  const parsed = parseDocument(text, { uniqueKeys: true });
  const problem = parsed.errors[0] ?? parsed.warnings[0];
  if (problem !== undefined) throw problem;
  return asObject(parsed.toJS() as Json, 'the document');
}

/** Throws if the value is not an object; `where` is its place. */
export function asObject(value: Json | undefined, where: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${where}: expected an object`);
  }
  return value;
}

/** The value that a local `$ref` points to (RFC 6901 in a URI fragment). */
function lookUp(document: JsonObject, reference: string): JsonObject {
  if (!reference.startsWith('#/')) throw new Error(`${reference}: only local references are known`);
  let value: Json | undefined = document;
  for (const token of reference.slice(2).split('/')) {
    const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
    value = Object.entries(asObject(value, reference)).find(([key]) => key === name)?.[1];
  }
  return asObject(value, reference);
}

/** The object, or what it refers to when it is a `$ref`. */
export function resolve(document: JsonObject, value: Json | undefined, where: string): JsonObject {
  const object = asObject(value, where);
  return typeof object['$ref'] === 'string'
    ? resolve(document, lookUp(document, object['$ref']), object['$ref'])
    : object;
}

/** Every operation under `paths`, in the document's order. */
export function listOperations(document: JsonObject): Operation[] {
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(asObject(document['paths'], 'paths'))) {
    const pathItem = asObject(item, path);
    for (const method of methods) {
      if (pathItem[method] === undefined) continue;
      const where = `${method.toUpperCase()} ${path}`;
      const definition = asObject(pathItem[method], where);
      const operationId = definition['operationId'];
      if (typeof operationId !== 'string') throw new Error(`${where}: operationId is missing`);
      if (operations.some((known) => known.operationId === operationId)) {
        throw new Error(`${where}: operationId ${operationId} is used twice`);
      }
      const parameters = [pathItem['parameters'] ?? [], definition['parameters'] ?? []]
        .flat()
        .map((parameter) => resolve(document, parameter, `${where}: parameter`));
      operations.push({ operationId, method: method.toUpperCase(), path, parameters, definition });
    }
  }
  return operations;
}
