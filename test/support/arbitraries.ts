import fc from 'fast-check';
import { follow, valueAt, type Json, type JsonObject } from './document.js';

/** Every property test draws from this seed, so that a run is the same everywhere. */
export const seed = 20261121;

/** Values that the schema at the pointer mostly allows, now and then one past a limit. */
export function validValue(document: JsonObject, at: string): fc.Arbitrary<Json> {
  const target = follow(document, at);
  const schema = valueAt(document, target) as JsonObject;
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = schema[keyword];
    if (Array.isArray(branches)) {
      return fc.oneof(
        ...branches.map((_, index) => validValue(document, `${target}/${keyword}/${index}`)),
      );
    }
  }
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...schema['enum']);
  const types = [schema['type'] ?? 'any'].flat() as string[];
  return fc.oneof(...types.map((type) => valueOfType(document, target, schema, type)));
}

function valueOfType(
  document: JsonObject,
  at: string,
  schema: JsonObject,
  type: string,
): fc.Arbitrary<Json> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'string':
      return text(schema);
    case 'integer':
    case 'number': {
      const min = (schema['minimum'] ?? -1000) as number;
      const max = (schema['maximum'] ?? min + 2000) as number;
      return usually(fc.integer({ min, max }), fc.constantFrom(min - 1, min, max, max + 1));
    }
    case 'array':
      return list(schema, validValue(document, `${at}/items`));
    case 'object':
      return object(document, at, schema);
    default:
      return fc.jsonValue() as fc.Arbitrary<Json>;
  }
}

function object(document: JsonObject, at: string, schema: JsonObject): fc.Arbitrary<Json> {
  const additional = schema['additionalProperties'];
  if (typeof additional === 'object') {
    return fc.dictionary(fc.string(), validValue(document, `${at}/additionalProperties`), {
      maxKeys: 3,
      noNullPrototype: true,
    });
  }
  const names = Object.keys((schema['properties'] ?? {}) as JsonObject);
  const members = names.map((name): [string, fc.Arbitrary<Json>] => [
    name,
    validValue(document, `${at}/properties/${name}`),
  ]);
  return fc.record(Object.fromEntries(members), {
    requiredKeys: (schema['required'] ?? []) as string[],
    noNullPrototype: true,
  });
}

function list(schema: JsonObject, items: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const minLength = (schema['minItems'] ?? 0) as number;
  const maxItems = (schema['maxItems'] ?? minLength + 3) as number;
  const bounds = { minLength, maxLength: Math.min(maxItems, minLength + 3) };
  const edges = fc.constantFrom(Math.max(minLength - 1, 0), maxItems, maxItems + 1);
  return usually(
    schema['uniqueItems'] === true
      ? fc.uniqueArray(items, { ...bounds, selector: (item) => JSON.stringify(item) })
      : fc.array(items, bounds),
    edges.chain((length) => fc.array(items, { minLength: length, maxLength: length })),
  );
}

/** Now and then a value at a limit, or one beyond it. */
function usually<Value>(
  common: fc.Arbitrary<Value>,
  edge: fc.Arbitrary<Value>,
): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 8, arbitrary: common }, { weight: 1, arbitrary: edge });
}

/** Strings of the format, of the pattern, and padded to the length's limits in code points. */
function text(schema: JsonObject): fc.Arbitrary<string> {
  const minLength = (schema['minLength'] ?? 0) as number;
  const maxLength = schema['maxLength'] as number | undefined;
  const format = formatted(schema['format']);
  const examples = [schema['examples'] ?? []].flat().filter((value) => typeof value === 'string');
  const sources = [
    ...examples.map((example) => fc.constant(example)),
    ...(format === undefined ? matching(schema) : [format]),
  ];
  if (format === undefined) {
    sources.push(
      fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength ?? 60, 60) }),
    );
  }
  const common = fc.oneof(...sources);
  if (maxLength === undefined) return common;
  const edge = fc
    .tuple(
      common,
      fc.constantFrom('a', '1', ' ', '😀'),
      fc.constantFrom(maxLength, maxLength + 1),
      fc.boolean(),
    )
    .map(([value, unit, length, atStart]) => {
      const padding = unit.repeat(Math.max(0, length - [...value].length));
      return atStart ? padding + value : value + padding;
    });
  return usually(common, edge);
}

function matching(schema: JsonObject): fc.Arbitrary<string>[] {
  if (typeof schema['pattern'] !== 'string') return [];
  try {
    return [fc.stringMatching(new RegExp(schema['pattern'], 'u'), { maxLength: 80 })];
  } catch {
    return []; // fast-check cannot draw from a pattern with a lookahead
  }
}

function formatted(format: Json | undefined): fc.Arbitrary<string> | undefined {
  const instant = fc.date({
    min: new Date('1999-01-01'),
    max: new Date('2100-01-01'),
    noInvalidDate: true,
  });
  switch (format) {
    case 'date':
      return instant.map((date) => date.toISOString().slice(0, 10));
    case 'date-time':
      return instant.map((date) => date.toISOString());
    case 'email':
      return fc.emailAddress();
    case 'uuid':
      return fc.uuid();
    case 'uri':
    case 'uri-reference':
      return fc.webUrl();
    default:
      return undefined;
  }
}
