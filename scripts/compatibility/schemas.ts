import { isDeepStrictEqual } from 'node:util';
import { asObject, resolve, type Json, type JsonObject } from '../generate/document.js';

/** Who writes the value: the consumer sends input, and reads output. */
export type Direction = 'input' | 'output';

export interface Comparison {
  released: JsonObject;
  current: JsonObject;
  /** Receives each breaking change as a sentence. */
  report: (problem: string) => void;
}

/** Enumerations that may grow: the contract asks consumers to accept unknown values. */
const growing = new Set(['#/components/schemas/ErrorCode']);

const annotations = ['$ref', 'title', 'description', 'example', 'examples', 'deprecated'];
const lowerLimits = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'];
const upperLimits = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'];
const exact = ['pattern', 'format', 'multipleOf', 'uniqueItems'];
/** A pattern of 2.0.0 that every text keeps without it: the contract has it in words. */
const textRule: Json = '^[^\\u0000\\uD800-\\uDFFF]*$';
const structure = ['type', 'enum', 'properties', 'required', 'additionalProperties', 'items'];
const understood = new Set([
  ...annotations,
  ...lowerLimits,
  ...upperLimits,
  ...exact,
  ...structure,
]);

/**
 * Reports the breaking changes of a schema. Input that was valid must stay valid; output must have
 * been possible before, except for new members, which consumers ignore. So every value that is valid
 * under `from` must be valid under `to`.
 */
export function compareSchemas(
  comparison: Comparison,
  releasedSchema: Json | undefined,
  currentSchema: Json | undefined,
  where: string,
  direction: Direction,
  met: readonly string[] = [],
): void {
  const released = resolve(comparison.released, releasedSchema ?? {}, where);
  const current = resolve(comparison.current, currentSchema ?? {}, where);
  const names = `${reference(releasedSchema)} ${reference(currentSchema)}`;
  if (names !== ' ' && met.includes(names)) return;
  const grows = direction === 'output' && growing.has(reference(currentSchema));
  const [from, to] = direction === 'input' ? [released, current] : [current, released];
  const report = (what: string) => comparison.report(`${where}: ${what}`);
  const goOn = (a: Json | undefined, b: Json | undefined, step: string) =>
    compareSchemas(comparison, a, b, `${where}${step}`, direction, [...met, names]);

  if (alternativesOf(released) !== null || alternativesOf(current) !== null) {
    compareAlternatives(comparison, releasedSchema, currentSchema, where, direction, met);
    return;
  }
  const types = missing(typesOf(from), typesOf(to));
  if (types.length > 0) report(says(direction, 'the type', types));
  if (to['enum'] !== undefined && !grows) {
    const values = missing(valuesOf(from) ?? ['any other value'], valuesOf(to) ?? []);
    if (values.length > 0) report(says(direction, 'the value', values));
  }
  for (const keyword of tightened(from, to)) {
    report(`${keyword} was ${show(released[keyword])}, is ${show(current[keyword])}`);
  }
  compareMembers(report, released, current, direction);
  for (const name of Object.keys(membersOf(released))) {
    if (membersOf(current)[name] === undefined) continue;
    goOn(membersOf(released)[name], membersOf(current)[name], `.${name}`);
  }
  const [before, after] = [otherMembers(released), otherMembers(current)];
  if (typeof before === 'object' || typeof after === 'object') {
    if (before !== false && after !== false) goOn(schemaOf(before), schemaOf(after), '.*');
  }
  if (released['items'] !== undefined && current['items'] !== undefined) {
    goOn(released['items'], current['items'], '[]');
  } else if (to['items'] !== undefined) {
    report('its items have another form');
  }
}

/** Each alternative of `from` must exist in `to`. */
function compareAlternatives(
  comparison: Comparison,
  released: Json | undefined,
  current: Json | undefined,
  where: string,
  direction: Direction,
  met: readonly string[],
): void {
  const before = alternativesIn(comparison.released, released, where);
  const after = alternativesIn(comparison.current, current, where);
  const fits = (a: Json, b: Json): boolean => {
    let fine = true;
    const report = () => (fine = false);
    compareSchemas({ ...comparison, report }, a, b, where, direction, met);
    return fine;
  };
  const lost =
    direction === 'input'
      ? before.filter((a) => !after.some((b) => fits(a, b)))
      : after.filter((b) => !before.some((a) => fits(a, b)));
  if (lost.length > 0) {
    comparison.report(`${where}: ${says(direction, 'the form', lost.map(show))}`);
  }
}

function compareMembers(
  report: (what: string) => void,
  released: JsonObject,
  current: JsonObject,
  direction: Direction,
): void {
  for (const name of missing(Object.keys(membersOf(released)), Object.keys(membersOf(current)))) {
    report(`the member ${name} was removed`);
  }
  if (direction === 'input') {
    for (const name of missing(requiredIn(current), requiredIn(released))) {
      report(`the member ${name} is required now`);
    }
    if (otherMembers(released) === false) return;
    if (otherMembers(current) === false) report('other members are refused now');
    for (const name of missing(Object.keys(membersOf(current)), Object.keys(membersOf(released)))) {
      report(`the member ${name} has a form now`);
    }
  } else {
    for (const name of missing(requiredIn(released), requiredIn(current))) {
      if (membersOf(current)[name] !== undefined) report(`the member ${name} may be left out now`);
    }
  }
}

/** Keywords by which `to` refuses what `from` allows, and unknown keywords. */
function tightened(from: JsonObject, to: JsonObject): string[] {
  const isAtLeast = (a: Json | undefined, b: Json) => a !== undefined && Number(a) >= Number(b);
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].filter((keyword) => {
    const [before, after] = [from[keyword], to[keyword]];
    if (after !== undefined && lowerLimits.includes(keyword)) return !isAtLeast(before, after);
    if (after !== undefined && upperLimits.includes(keyword)) {
      return before === undefined || !isAtLeast(after, before);
    }
    if (exact.includes(keyword)) return after !== undefined && ![before, textRule].includes(after);
    return !understood.has(keyword) && !isDeepStrictEqual(before, after);
  });
}

function alternativesIn(document: JsonObject, schema: Json | undefined, where: string): Json[] {
  return alternativesOf(resolve(document, schema ?? {}, where)) ?? [schema ?? {}];
}

function alternativesOf(schema: JsonObject): Json[] | null {
  const alternatives = schema['oneOf'] ?? schema['anyOf'];
  return Array.isArray(alternatives) ? alternatives : null;
}

const allTypes = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];

/** Every integer is a number, too. */
function typesOf({ type }: JsonObject): string[] {
  const types = type === undefined ? allTypes : ([type].flat() as string[]);
  return types.includes('number') ? [...new Set([...types, 'integer'])] : types;
}

/** The schema of additional members; true allows any, false allows none. */
function otherMembers(schema: JsonObject): boolean | JsonObject {
  return (schema['additionalProperties'] ?? true) as boolean | JsonObject;
}

function schemaOf(form: boolean | JsonObject): JsonObject {
  return typeof form === 'object' ? form : {};
}

function valuesOf(schema: JsonObject): string[] | undefined {
  return schema['enum'] === undefined ? undefined : (schema['enum'] as Json[]).map(show);
}

function membersOf(schema: JsonObject): JsonObject {
  return asObject(schema['properties'] ?? {}, 'properties');
}

function requiredIn(schema: JsonObject): string[] {
  return (schema['required'] ?? []) as string[];
}

function reference(schema: Json | undefined): string {
  return String((schema as JsonObject | undefined)?.['$ref'] ?? '');
}

export function missing(wanted: string[], present: string[]): string[] {
  return wanted.filter((item) => !present.includes(item));
}

function says(direction: Direction, what: string, values: string[]): string {
  const list = values.join(', ');
  return direction === 'input' ? `${what} ${list} is refused now` : `${what} ${list} is new`;
}

function show(value: Json | undefined): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
