import {
  asObject,
  listOperations,
  resolve,
  type Json,
  type JsonObject,
  type Operation,
} from './document.js';
import { emitSchema } from './schema.js';
import { helperNames } from './schemas.js';
import { header, jsDoc } from './text.js';

const json = 'application/json';
/** OpenAPI 3.1 ignores header parameters of these names. */
const ignoredHeaders = ['accept', 'content-type', 'authorization'];

/** The file with method, url and Fastify route schema of each operation. */
export function emitOperations(document: JsonObject): string {
  const names = new Set<string>();
  const reference = (name: string): string => {
    names.add(name);
    return name;
  };
  const entries = listOperations(document).map(
    (operation) =>
      `${jsDoc({ description: operation.definition['summary'] ?? '' })}${operation.operationId}: {
        method: '${operation.method}',
        url: ${JSON.stringify(fastifyUrl(operation.path))},
        schema: {${emitRouteSchema(document, operation, reference)}},
      },`,
  );
  const body = `
/** Method, address and Fastify route schema of each operation; header names in lower case. */
export const operations = {\n${entries.join('\n')}\n} as const;

export type OperationId = keyof typeof operations;
`;
  const helpers = helperNames.filter((name) => new RegExp(`\\b${name}\\(`, 'u').test(body));
  const imports = `import { Type } from '@sinclair/typebox';
import { ${[...helpers, ...[...names].sort()].join(', ')} } from './schemas.js';
`;
  return `${header}${imports}${body}`;
}

function fastifyUrl(path: string): string {
  return path.replaceAll(/\{(\w+)\}/gu, ':$1');
}

function emitRouteSchema(
  document: JsonObject,
  operation: Operation,
  reference: (name: string) => string,
): string {
  const where = operation.operationId;
  const parts = [
    emitParameters(operation, 'path', 'params', false, reference),
    emitParameters(operation, 'query', 'querystring', false, reference),
    emitParameters(operation, 'header', 'headers', true, reference),
  ];
  for (const parameter of operation.parameters) {
    if (!['path', 'query', 'header'].includes(String(parameter['in']))) {
      throw new Error(`${where}: a parameter in ${String(parameter['in'])} is not known`);
    }
  }
  if (operation.definition['requestBody'] !== undefined) {
    const body = resolve(document, operation.definition['requestBody'], `${where}.requestBody`);
    const content = asObject(body['content'], `${where}.requestBody.content`);
    if (body['required'] !== true || Object.keys(content).join() !== json) {
      throw new Error(`${where}: the request body must be required and only ${json}`);
    }
    parts.push(`body: ${emitMedia(content[json], `${where}.body`, reference)},`);
  }
  parts.push(emitResponses(document, operation, reference));
  return parts.filter((part) => part !== '').join('\n');
}

function emitParameters(
  operation: Operation,
  location: string,
  part: string,
  additionalProperties: boolean,
  reference: (name: string) => string,
): string {
  const parameters = operation.parameters.filter((parameter) => parameter['in'] === location);
  if (parameters.length === 0) return '';
  const members = parameters.map((parameter) => {
    const name = String(parameter['name']);
    const where = `${operation.operationId}.${part}.${name}`;
    if (location === 'header' && ignoredHeaders.includes(name.toLowerCase())) {
      throw new Error(`${where}: OpenAPI ignores this header parameter; use a security scheme`);
    }
    const parameterSchema = asObject(parameter['schema'], where);
    if (parameterSchema['type'] === 'array') {
      throw new Error(`${where}: a list as a parameter is not known`);
    }
    const described = { description: parameter['description'] ?? '', ...parameterSchema };
    const schema = emitSchema(described, { where, reference });
    const key = location === 'header' ? name.toLowerCase() : name;
    const value = parameter['required'] === true ? schema : `Type.Optional(${schema})`;
    return `${jsDoc(parameter)}${JSON.stringify(key)}: ${value},`;
  });
  const options = JSON.stringify({ additionalProperties });
  return `${part}: Type.Object({\n${members.join('\n')}\n}, ${options}),`;
}

/** A response without content is empty; content that is not JSON has no schema. */
function emitResponses(
  document: JsonObject,
  operation: Operation,
  reference: (name: string) => string,
): string {
  const where = `${operation.operationId}.responses`;
  const responses = asObject(operation.definition['responses'], where);
  const entries = Object.entries(responses).flatMap(([status, value]) => {
    if (!/^[1-5]\d\d$/u.test(status)) throw new Error(`${where}.${status}: no plain status`);
    const response = resolve(document, value, `${where}.${status}`);
    const content = asObject(response['content'] ?? {}, `${where}.${status}.content`);
    if (Object.keys(content).length === 0) return [`${status}: Type.Null(),`];
    if (content[json] === undefined) return [];
    return [`${status}: ${emitMedia(content[json], `${where}.${status}`, reference)},`];
  });
  return `response: {\n${entries.join('\n')}\n},`;
}

function emitMedia(
  media: Json | undefined,
  where: string,
  reference: (name: string) => string,
): string {
  return emitSchema(asObject(media, where)['schema'], { where, reference });
}
