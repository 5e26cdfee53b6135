import { Ajv, type AnySchema, type Options, type ValidateFunction } from 'ajv';
import fastJson, { type Schema } from 'fast-json-stringify';
import type {
  FastifySchemaCompiler,
  FastifySchemaValidationError,
  FastifySerializerCompiler,
} from 'fastify';
import {
  addFormats,
  keepClosestBranch,
  shorten,
  validationMessage,
} from '../domain/validation-messages.js';
import type { ErrorDetail } from '../errors.js';
import { withTextRule } from '../platform/text-rule.js';

/** The most `details` of one error response. @internal */
export const maximumDetails = 20;

/** Further errors are ignored: a hostile body may have one per byte. */
const maximumErrors = 500;

type Validator = ReturnType<FastifySchemaCompiler<AnySchema>>;

/** A part that Fastify names in `error.validationContext`, or the arguments of a tool. */
export type RequestPart = 'body' | 'headers' | 'params' | 'querystring' | 'arguments';

const partNames: Record<RequestPart, string> = {
  arguments: 'arguments',
  body: 'body',
  headers: 'header',
  params: 'path',
  querystring: 'query',
};

const options: Options = {
  // Safe here: patterns are linear, bodies bounded, and the generator refuses `uniqueItems` on
  // anything that would cost the square of its length.
  allErrors: true,
  allowUnionTypes: true,
  removeAdditional: false,
  useDefaults: false,
  addUsedSchema: false,
  messages: false,
  // Messages are made from the schema. The values that come with it do not leave this file.
  verbose: true,
};

/**
 * The compiler for Fastify's `setValidatorCompiler`. Bodies are validated as they are: no coercion, no
 * removal, no defaults. Parameters and headers arrive as text, so theirs are coerced to the documented
 * type. Lengths count code points, patterns are unicode. Errors carry a sentence for the caller and never
 * the value that was sent.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<AnySchema> {
  const asSent = new Ajv(options);
  const asText = new Ajv({ ...options, coerceTypes: true });
  addFormats(asSent);
  addFormats(asText);
  return ({ schema, httpPart }) => {
    const isText = httpPart === 'params' || httpPart === 'querystring' || httpPart === 'headers';
    return describing(() => (isText ? asText : asSent).compile(withTextRule(schema as object)));
  };
}

/** Compiles when it first validates: each takes milliseconds, and a start would compile dozens. */
function describing(compile: () => ValidateFunction): Validator {
  let validate: ValidateFunction | undefined;
  const result: Validator = (value) => {
    validate ??= compile();
    const valid = validate(value);
    result.errors = valid ? null : describeErrors(validate);
    validate.errors = null;
    return valid;
  };
  return result;
}

function describeErrors(validate: ValidateFunction): FastifySchemaValidationError[] {
  return keepClosestBranch((validate.errors ?? []).slice(0, maximumErrors)).map((error) => ({
    keyword: error.keyword,
    instancePath: error.instancePath,
    schemaPath: error.schemaPath,
    params: error.params,
    message: validationMessage(error),
  }));
}

/**
 * The `details` of an `invalid_request`, from Fastify's `error.validation` and
 * `error.validationContext`: one per member, at most `maximumDetails`, in the schema's order.
 */
export function describeValidationErrors(
  errors: readonly FastifySchemaValidationError[],
  part: RequestPart,
): ErrorDetail[] {
  const details = new Map<string, string>();
  for (const error of errors) {
    if (details.size >= maximumDetails) break;
    const path = `${partNames[part]}${memberPath(error)}`;
    if (!details.has(path)) details.set(path, error.message ?? 'does not have the documented form');
  }
  return [...details].map(([path, message]) => ({ path, message }));
}

/** `.alternatives[0].date`, from a JSON Pointer and the member that is missing or too much. */
function memberPath(error: FastifySchemaValidationError): string {
  const names = error.instancePath
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const member = error.params['missingProperty'] ?? error.params['additionalProperty'];
  if (typeof member === 'string') names.push(member);
  return names.map(pathStep).join('');
}

function pathStep(name: string): string {
  if (/^\d+$/u.test(name)) return `[${name}]`;
  return /^[\w-]+$/u.test(name) ? `.${shorten(name)}` : `[${JSON.stringify(shorten(name))}]`;
}

/**
 * The compiler for Fastify's `setSerializerCompiler`. Like a validator, a serializer is compiled when it
 * is first used: a start would compile one for every response of `openapi.yaml`.
 */
export function createSerializerCompiler(): FastifySerializerCompiler<Schema> {
  return ({ schema }) => {
    let serialize: ((data: unknown) => string) | undefined;
    return (data) => (serialize ??= fastJson(schema))(data);
  };
}
