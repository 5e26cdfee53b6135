import fc from 'fast-check';
import { validValue } from './arbitraries.js';
import {
  documentCompiler,
  follow,
  listParameters,
  type Compile,
  type DocumentedOperation,
  type Json,
  type JsonObject,
  type Parameter,
} from './document.js';
import { mutant } from './mutants.js';
import type { WireRequest } from './wire.js';

/** A request to an operation, made from the document, and sometimes broken. */
export interface FuzzRequest extends WireRequest {
  /** In which part the document refuses it; null where the request is as documented. */
  wrong: 'path' | 'query' | 'headers' | 'body' | 'bytes' | null;
}

/** Values that mean something to the running service, such as ids of bookings, by parameter. */
export interface Known {
  /** Whole bodies by operationId. */
  bodies: Record<string, Json[]>;
  /** By the parameter's name. */
  parameters: Record<string, string[]>;
  /** The same, where no other values may be sent. */
  only: Record<string, string[]>;
  authorizations: string[];
  /** Addresses to come from, as a proxy would name them. */
  addresses: string[];
}

const json = 'application/json';
const otherMediaTypes = [
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  '*/*',
];
const brokenBodies = [
  ...['', ' ', '{', '{"a":1,}', "{'a':1}", '{"a":1}{"b":2}', '\0'],
  ...['null', 'true', '[]', '[{}]', '"text"'],
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{}}}',
  '['.repeat(5_000),
  `"${'x'.repeat(70_000)}"`,
];

/** Requests of one operation: mostly as documented, then one part of it changed. */
export function requestsOf(
  document: JsonObject,
  operation: DocumentedOperation,
  known: Known,
): fc.Arbitrary<FuzzRequest> {
  const compile = documentCompiler(document);
  const compileText = documentCompiler(document, { coerceTypes: true });
  const inPath = listParameters(document, operation, 'path');
  const inQuery = listParameters(document, operation, 'query');
  const inHeader = listParameters(document, operation, 'header');
  const hasBody = operation.definition['requestBody'] !== undefined;
  const media = `${follow(document, `${operation.at}/requestBody`)}/content/application~1json`;

  const path = texts(document, inPath, known);
  const query = texts(document, inQuery, known);
  const some = fc.dictionary(fc.string({ maxLength: 5 }), fc.string(), { maxKeys: 2 });
  const stray = fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: some });
  const headers = texts(document, inHeader, known).map((values) => mapValues(values, legalHeader));
  const authorization = fc.option(
    fc.oneof(
      fc.constantFrom(...known.authorizations),
      fc.string().map((text) => legalHeader(text)),
    ),
    { freq: 2, nil: undefined },
  );
  const forwarded = fc.constantFrom(...known.addresses);
  const isHead = fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0);

  return fc
    .record({ path, query, stray, headers, authorization, forwarded, isHead, body: bodies() })
    .map((parts) => {
      const sent = { ...parts.query, ...parts.stray };
      const search = new URLSearchParams(sent).toString();
      const headers = { 'x-forwarded-for': parts.forwarded, ...parts.headers };
      const hasStray =
        inQuery.length > 0 && Object.keys(sent).length > Object.keys(parts.query).length;
      const wrong =
        (!allValid(inPath, parts.path, compileText) && ('path' as const)) ||
        parts.body.wrong ||
        ((hasStray || !allValid(inQuery, sent, compileText)) && ('query' as const)) ||
        (!allValid(inHeader, parts.headers, compileText) && ('headers' as const)) ||
        null;
      return {
        method: operation.method === 'GET' && parts.isHead ? 'HEAD' : operation.method,
        path: `${fill(operation.path, parts.path)}${search === '' ? '' : `?${search}`}`,
        headers: {
          ...headers,
          ...(parts.authorization !== undefined && { authorization: parts.authorization }),
          ...(parts.body.type !== undefined && { 'content-type': parts.body.type }),
        },
        body: parts.body.text,
        wrong,
      };
    });

  function bodies(): fc.Arbitrary<{
    text: string | undefined;
    type: string | undefined;
    wrong: 'body' | 'bytes' | false;
  }> {
    const anything = {
      text: fc.constantFrom<string | undefined>(...brokenBodies, undefined),
      type: fc.constantFrom<string | undefined>(json, json, ...otherMediaTypes, undefined),
    };
    if (!hasBody) {
      const none = { text: undefined, type: undefined, wrong: false as const };
      const unread = fc.record({ ...anything, wrong: fc.constant(false as const) });
      return fc.oneof(
        { weight: 5, arbitrary: fc.constant(none) },
        { weight: 1, arbitrary: unread },
      );
    }
    const bodyAt = follow(document, `${media}/schema`);
    const validate = compile(bodyAt);
    const realistic = known.bodies[operation.operationId] ?? [];
    const valid = fc.oneof(
      validValue(document, bodyAt),
      ...(realistic.length > 0 ? [fc.constantFrom(...realistic)] : []),
    );
    const documented = fc.oneof(valid, valid.chain(mutant)).map((value) => ({
      text: JSON.stringify(value),
      type: json,
      wrong: !validate(structuredClone(value)) && ('body' as const),
    }));
    const broken = fc.record({ ...anything, wrong: fc.constant('bytes' as const) });
    return fc.oneof({ weight: 5, arbitrary: documented }, { weight: 1, arbitrary: broken });
  }
}

/** A value per parameter, as text: valid, known to the service, changed, or left out. */
function texts(
  document: JsonObject,
  parameters: Parameter[],
  known: Known,
): fc.Arbitrary<Record<string, string>> {
  const entries = parameters.map((parameter): [string, fc.Arbitrary<string | undefined>] => {
    const { name, isRequired, schemaAt } = parameter;
    const values = validValue(document, schemaAt).map(String);
    const knownValues = known.parameters[name] ?? [];
    const only = known.only[name];
    if (only !== undefined) return [name, fc.constantFrom(undefined, ...only)];
    const value = fc.oneof(
      { weight: 3, arbitrary: knownValues.length > 0 ? fc.constantFrom(...knownValues) : values },
      { weight: 3, arbitrary: values },
      { weight: 1, arbitrary: values.chain((text) => mutant(text)).map(asText) },
    );
    return [name, fc.option(value, { freq: isRequired ? 20 : 2, nil: undefined })];
  });
  return fc.record(Object.fromEntries(entries), { noNullPrototype: true }).map((values) =>
    // Those left out are undefined.
    Object.fromEntries(
      Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  );
}

function asText(value: Json): string {
  return wellFormed(typeof value === 'string' ? value : JSON.stringify(value));
}

/** An address can carry no half of a surrogate pair. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Cs}/gu, '\uFFFD');
}

function mapValues(values: Record<string, string>, change: (value: string) => string) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** What a client can put on the wire; the whitespace around it is not part of the value. */
function legalHeader(value: string): string {
  return value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/gu, '').trim();
}

function allValid(
  parameters: Parameter[],
  values: Record<string, string>,
  compile: Compile,
): boolean {
  return parameters.every(({ name, isRequired, schemaAt }) => {
    const value = values[name];
    return value === undefined ? !isRequired : compile(schemaAt)(value);
  });
}

function fill(path: string, values: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
    encodeURIComponent(wellFormed(values[name] ?? '')),
  );
}
