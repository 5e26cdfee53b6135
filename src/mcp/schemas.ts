import { document, type JsonObject, type JsonValue } from '../../generated/document.js';

/** A self-contained JSON Schema: without references. */
export type Schema = JsonObject;

/** The schema of a component of openapi.yaml. */
export function componentSchema(name: string): Schema {
  return inline({ $ref: `#/components/schemas/${name}` });
}

/** The schema of an operation's parameter, with the parameter's description. */
export function parameterSchema(operationId: string, name: string): Schema {
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path) as JsonObject[]) {
      if (operation['operationId'] !== operationId) continue;
      const parameters = (operation['parameters'] ?? []) as readonly JsonObject[];
      const parameter = parameters.map(inline).find((candidate) => candidate['name'] === name);
      if (parameter === undefined) break;
      const schema = parameter['schema'] as Schema;
      const { description } = parameter;
      return description === undefined ? schema : { ...schema, description };
    }
  }
  throw new Error(`${operationId} has no parameter ${name}`);
}

/** The schema of an object with these properties and no others. */
export function objectSchema(
  properties: Record<string, Schema>,
  required: readonly string[] = [],
): Schema {
  const needs = required.length > 0 ? { required } : {};
  return { type: 'object', properties, ...needs, additionalProperties: false };
}

/**
 * The arguments without empty optional ones: some models send every argument. A null that REST accepts
 * stays, so that its Idempotency-Key is unchanged.
 */
export function givenArguments(
  { properties, required = [] }: Schema,
  args: Record<string, unknown>,
): Record<string, unknown> {
  const members = properties as Partial<Record<string, Schema>>;
  const isOptional = (name: string) =>
    ['string', 'integer'].includes(members[name]?.['type'] as string) &&
    !(required as readonly string[]).includes(name);
  const given = Object.entries(args).filter(
    ([name, value]) => !((value === null || value === '') && isOptional(name)),
  );
  return Object.fromEntries(given);
}

/**
 * An input schema for models, which read it in every conversation: only the meaning and bounds of each
 * member. The validation of a call knows the rest: some hosts refuse the whole list for a `format`, for
 * `additionalProperties`, or for a list of types.
 */
export function inputForModels({ description: _description, ...schema }: Schema): Schema {
  const unread = ['pattern', 'examples', 'format', 'additionalProperties'];
  const { properties, ...rest } = without(schema, unread);
  const members = Object.entries(properties as Record<string, Schema>).map(
    ([name, { type, ...member }]): [string, Schema] => [
      name,
      { type: [type].flat().find((each) => each !== 'null') as string, ...member },
    ],
  );
  return { ...rest, properties: Object.fromEntries(members) };
}

/**
 * The structure of a result for the validation by clients: types and members; outside of lists also
 * required members and enumerated values.
 */
export function outputForModels(schema: Schema): Schema {
  return without(schema, [
    'description',
    'examples',
    'pattern',
    'format',
    'minimum',
    'minItems',
    'maxItems',
    'additionalProperties',
  ]);
}

/** A schema without these keywords, also inside; its texts are on one line. */
function without(schema: Schema, keywords: readonly string[]): Schema {
  const kept = Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]): [string, JsonValue] => {
      if (typeof value === 'string') return [keyword, value.trim().replace(/\s+/gu, ' ')];
      if (keyword === 'items') {
        return [keyword, without(value as Schema, [...keywords, 'enum', 'required'])];
      }
      if (keyword !== 'properties') return [keyword, value];
      const members = Object.entries(value as Record<string, Schema>);
      return [
        keyword,
        Object.fromEntries(members.map(([name, member]) => [name, without(member, keywords)])),
      ];
    }),
  );
}

/** Replaces every `$ref` by its target, because not every client resolves references. */
function inline(value: JsonObject): JsonObject {
  const reference = value['$ref'];
  if (typeof reference === 'string') return inline(lookUp(reference));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, inlineValue(member)]),
  );
}

function inlineValue(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? value.map((item: JsonValue) => inlineValue(item))
    : inline(value as JsonObject);
}

/** The target of a reference such as `#/components/schemas/Hold`. */
function lookUp(reference: string): JsonObject {
  let value: JsonValue | undefined = document;
  for (const name of reference.split('/').slice(1)) value = (value as JsonObject)[name];
  return value as JsonObject;
}
