import fc from 'fast-check';
import type { Json, JsonObject } from './document.js';

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
