import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { addFormats } from '../../src/domain/validation-messages.js';
import { withTextRule } from '../../src/platform/text-rule.js';
import { projectRoot } from './project.js';

export type Json = string | number | boolean | null | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };

const documentName = 'openapi.yaml';
const documentPath = join(projectRoot, 'openapi.yaml');
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

let written: JsonObject | undefined;

/** openapi.yaml as it is written, independent of everything that is generated; not to be changed. */
export function readDocument(): JsonObject {
  written ??= parse(readFileSync(documentPath, 'utf8')) as JsonObject;
  return written;
}

/** A JSON Pointer's fragment (RFC 6901) from member names. */
export function pointer(...names: (string | number)[]): string {
  return `#${names
    .map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')}`;
}

/** The value at a pointer of `pointer()`'s form, or undefined. */
export function valueAt(document: Json, fragment: string): Json | undefined {
  let value: Json | undefined = document;
  for (const token of fragment.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    value = (value as Record<string, Json> | undefined)?.[name];
  }
  return value;
}

/** The pointer itself, or where its `$ref`s lead. */
export function follow(document: JsonObject, fragment: string): string {
  const reference = (valueAt(document, fragment) as JsonObject | undefined)?.['$ref'];
  return typeof reference === 'string' ? follow(document, reference) : fragment;
}

/** Compiles the schema at a pointer of openapi.yaml with JSON Schema 2020-12. */
export type Compile = (fragment: string) => ValidateFunction;

const compilers = new Map<boolean, Compile>();

/** `coerceTypes` for what arrives as text: parameters and headers. */
export function documentCompiler(
  document: JsonObject,
  { coerceTypes = false }: { coerceTypes?: boolean } = {},
): Compile {
  const known = document === written ? compilers.get(coerceTypes) : undefined;
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, coerceTypes });
  addFormats(ajv);
  // Ajv reads the document's root as a schema; its members are unknown keywords.
  ajv.addVocabulary([...Object.keys(document), 'example', 'discriminator', 'externalDocs']);
  ajv.addSchema(withTextRule(document), documentName);
  const compiled = new Map<string, ValidateFunction>();
  const compile: Compile = (fragment) => {
    const known = compiled.get(fragment);
    if (known !== undefined) return known;
    const encoded = fragment.split('/').map(encodeURIComponent).join('/').replace('%23', '#');
    const validate = ajv.compile({ $ref: `${documentName}${encoded}` });
    compiled.set(fragment, validate);
    return validate;
  };
  if (document === written) compilers.set(coerceTypes, compile);
  return compile;
}

/** Every operation under `paths`. */
export function listOperations(document: JsonObject) {
  return Object.entries(document['paths'] as Record<string, JsonObject>).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => {
        const definition = item[method] as JsonObject;
        const operationId = String(definition['operationId']);
        const at = pointer('paths', path, method);
        return { operationId, method: method.toUpperCase(), path, at, definition };
      }),
  );
}

/** `method` in upper case, `at` the JSON pointer. */
export type DocumentedOperation = ReturnType<typeof listOperations>[number];

/** The parameters of an operation and of its path that are in `path`, `query` or `header`. */
export function listParameters(
  document: JsonObject,
  { at, path }: DocumentedOperation,
  location: string,
) {
  return [pointer('paths', path), at].flatMap((owner) =>
    Object.keys((valueAt(document, `${owner}/parameters`) ?? []) as Json[]).flatMap((index) => {
      const parameterAt = follow(document, `${owner}/parameters/${index}`);
      const parameter = valueAt(document, parameterAt) as JsonObject;
      if (parameter['in'] !== location) return [];
      const isRequired = parameter['required'] === true;
      return [{ name: String(parameter['name']), isRequired, schemaAt: `${parameterAt}/schema` }];
    }),
  );
}

export type Parameter = ReturnType<typeof listParameters>[number];

/**
 * The component of a failure's body: the one envelope, but JSON-RPC's own error where the MCP
 * connector was sent what is no proper request.
 */
export function failureSchemaOf(
  operationId: string,
  status: string,
): 'ErrorResponse' | 'JsonRpcFailure' {
  const isJsonRpc = operationId === 'callMcp' && (status === '400' || status === '404');
  return isJsonRpc ? 'JsonRpcFailure' : 'ErrorResponse';
}

export interface Answer {
  /** An operationId, or method and address: `GET /api/public/studio?x=1`. */
  operation: string;
  status: number;
  /** Header names in lower case, as Node and `inject` give them. */
  headers: Record<string, unknown>;
  /** The text as received, or its parsed JSON. */
  body?: unknown;
}

/**
 * A check that lists in what an answer differs from openapi.yaml: its status, content type, headers
 * and body. An empty list means that the answer is as documented. An address or method that the
 * document does not have must answer with the error envelope. Answers without a body (HEAD) are
 * checked without one.
 */
export function responseValidator(): (answer: Answer) => string[] {
  const document = readDocument();
  const operations = listOperations(document);
  const compile = documentCompiler(document);
  const compileText = documentCompiler(document, { coerceTypes: true });

  function checkHeaders(at: string, answer: Answer): string[] {
    const headers = (valueAt(document, at) as JsonObject)['headers'] ?? {};
    return Object.keys(headers as JsonObject).flatMap((name) => {
      const headerAt = follow(document, `${at}${pointer('headers', name).slice(1)}`);
      const value = answer.headers[name.toLowerCase()];
      if (value === undefined) {
        const { required } = valueAt(document, headerAt) as JsonObject;
        return required === true ? [`header ${name} is missing`] : [];
      }
      const validate = compileText(follow(document, `${headerAt}/schema`));
      return validate(value) ? [] : [`header ${name}: ${explain(validate)}`];
    });
  }

  function checkContent(at: string, answer: Answer): string[] {
    const content = Object.keys((valueAt(document, at) as JsonObject)['content'] ?? {});
    const type = String(answer.headers['content-type'] ?? 'none').split(';')[0]!;
    if (content.length === 0) {
      const isBlank = [undefined, null, ''].includes(answer.body as string);
      return isBlank ? [] : ['a body where none is documented'];
    }
    if (!content.includes(type)) return [`content type ${type} is not documented`];
    if (answer.operation.startsWith('HEAD ') || type !== 'application/json') return [];
    const value = parseBody(answer.body);
    if (value === undefined) return ['the body is no JSON'];
    const validate = compile(follow(document, `${at}/content/application~1json/schema`));
    return validate(value) ? [] : [`body: ${explain(validate)}`];
  }

  return (answer) => {
    const operation = findOperation(operations, answer.operation);
    const { status } = answer;
    if (operation === undefined) {
      if (status < 400) return [`${answer.operation} is not documented`];
      return checkContent('#/components/responses/NotFound', answer);
    }
    const responses = operation.definition['responses'] as JsonObject;
    if (responses[String(status)] === undefined) {
      return [`${operation.operationId}: status ${status} is not documented`];
    }
    const at = follow(document, `${operation.at}/responses/${status}`);
    return [...checkHeaders(at, answer), ...checkContent(at, answer)].map(
      (problem) => `${operation.operationId} ${status}: ${problem}`,
    );
  };
}

function findOperation(operations: DocumentedOperation[], wanted: string) {
  const [method = '', address = ''] = wanted.split(' ');
  const steps = address.split('?')[0]!.split('/');
  return operations.find((operation) => {
    if (operation.operationId === wanted) return true;
    if (operation.method !== method.replace('HEAD', 'GET')) return false;
    const template = operation.path.split('/');
    return (
      steps.length === template.length &&
      template.every((step, index) => step.startsWith('{') || step === steps[index])
    );
  });
}

function parseBody(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function explain(validate: ValidateFunction): string {
  return (validate.errors ?? [])
    .map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`.trim())
    .join('; ');
}
