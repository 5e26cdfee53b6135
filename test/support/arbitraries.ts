import fc from 'fast-check';
import { follow, valueAt, type Json, type JsonObject } from './document.js';

/** Every property test draws from this seed, so that a run is the same everywhere. */
export const seed = 20261121;

/** Names that a sloppy or hostile caller might add. */
const strayNames = ['extra', '__proto__', 'constructor', '', 'Name', 'naïve', 'a/b~c'];

/** Values that no schema of the contract means, and those at the edge of what some mean. */
const strayValues: Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  '',
  ' ',
  '0',
  'null',
  'true',
  '\0',
  '\ud800',
  'a\udc00b',
  '😀',
  '2026-02-30',
  '2026-2-3',
  '2028-02-29',
  '2100-02-29',
  '٢٠٢٦-١٢-٠١',
  '2026-12-01T24:00:00Z',
  '2026-12-01T09:00:00-08:00',
  'urn:uuid:0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11',
  'ada@example.com',
  'ada@example',
  '+1 (555) 555-0142',
  '555555014',
  [],
  {},
  [null],
];

/** Values that the schema at the pointer allows, or nearly always allows. */
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
      return fc.integer({ min, max: (schema['maximum'] ?? min + 2000) as number });
    }
    case 'array': {
      const minLength = (schema['minItems'] ?? 0) as number;
      const maxLength = Math.min((schema['maxItems'] ?? 100) as number, minLength + 3);
      const items = validValue(document, `${at}/items`);
      return schema['uniqueItems'] === true
        ? fc.uniqueArray(items, { minLength, maxLength, selector: (item) => JSON.stringify(item) })
        : fc.array(items, { minLength, maxLength });
    }
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

/** Strings of the format, of the pattern, and at the length's limit in code points. */
function text(schema: JsonObject): fc.Arbitrary<string> {
  const minLength = (schema['minLength'] ?? 0) as number;
  const maxLength = (schema['maxLength'] ?? 50) as number;
  const pattern = new RegExp((schema['pattern'] ?? '') as string, 'u');
  const sources: fc.Arbitrary<string>[] = [];
  const format = formatted(schema['format']);
  if (format !== undefined) {
    sources.push(format);
  } else {
    sources.push(
      fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, 60) }),
      fc.constantFrom('a', 'é', '😀', ' a').map((unit) => cut(unit.repeat(maxLength), maxLength)),
      ...matching(pattern),
    );
  }
  for (const example of (schema['examples'] ?? []) as Json[]) {
    if (typeof example === 'string') sources.push(fc.constant(example));
  }
  return fc.oneof(...sources);
}

function matching(pattern: RegExp): fc.Arbitrary<string>[] {
  if (pattern.source === '(?:)') return [];
  try {
    return [fc.stringMatching(pattern, { maxLength: 40 })];
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

/** The value with one thing changed, somewhere in it. */
export function mutant(value: Json): fc.Arbitrary<Json> {
  const places = listPlaces(value);
  return fc
    .constantFrom(...places)
    .chain((place) =>
      mutateAt(placeValue(value, place)).map((changed) => replace(value, place, changed)),
    );
}

const removed = Symbol('removed');
type Changed = Json | typeof removed;

function mutateAt(value: Json): fc.Arbitrary<Changed> {
  const changes: fc.Arbitrary<Changed>[] = [fc.constantFrom<Changed>(removed, ...strayValues)];
  if (typeof value === 'string') changes.push(mutateText(value));
  if (typeof value === 'number') {
    changes.push(
      fc.constantFrom<Changed>(value + 1, value - 1, value + 0.5, -value, String(value)),
    );
  }
  if (Array.isArray(value)) {
    changes.push(fc.constantFrom<Changed>([...value, ...value], [...value, null], value.slice(1)));
  } else if (typeof value === 'object' && value !== null) {
    changes.push(
      fc.tuple(fc.constantFrom(...strayNames), fc.constantFrom(...strayValues)).map(
        // Defined, not assigned: JSON.parse makes an own member of `__proto__` too.
        ([name, stray]) => define({ ...value }, name, stray),
      ),
    );
  }
  return fc.oneof(...changes);
}

function mutateText(value: string): fc.Arbitrary<string> {
  const lengths = [2, 40, 41, 120, 121, 254, 255, 257, 258, 2000, 2001];
  return fc.oneof(
    fc
      .constantFrom(...lengths)
      .chain((length) =>
        fc.constantFrom('a', '😀', 'é', ' ', '1').map((unit) => unit.repeat(length)),
      ),
    fc
      .tuple(
        fc.nat(value.length),
        fc.constantFrom('\0', '\ud83d', '\ude00', '\u202e', '😀', ' ', '\n', '1'),
      )
      .map(([index, inserted]) => value.slice(0, index) + inserted + value.slice(index)),
    fc.constantFrom(
      value.slice(1),
      value.slice(0, -1),
      value.toUpperCase(),
      `${value}${value}`,
      `"${value}"`,
    ),
  );
}

function cut(value: string, codePoints: number): string {
  return [...value].slice(0, codePoints).join('');
}

function listPlaces(value: Json, place: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [place];
  return [
    place,
    ...Object.entries(value).flatMap(([name, member]) => listPlaces(member, [...place, name])),
  ];
}

function placeValue(value: Json, place: string[]): Json {
  return place.reduce<Json>((inner, name) => (inner as JsonObject)[name] as Json, value);
}

function replace(value: Json, place: string[], changed: Changed): Json {
  const [name, ...rest] = place;
  if (name === undefined) return changed === removed ? null : changed;
  if (Array.isArray(value)) {
    const index = Number(name);
    if (rest.length === 0 && changed === removed) return value.filter((_, at) => at !== index);
    return value.map((item, at) => (at === index ? replace(item, rest, changed) : item));
  }
  const copy = { ...(value as JsonObject) };
  if (rest.length === 0 && changed === removed) delete copy[name];
  else define(copy, name, replace(copy[name] as Json, rest, changed));
  return copy;
}

function define(object: JsonObject, name: string, value: Json): JsonObject {
  return Object.defineProperty(object, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
