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
 * The arguments without the optional ones that are null or empty: some models send every argument.
 * One that REST takes as null stays as it is sent, so that its Idempotency-Key stands for it as before.
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
 * Models read the schemas in every conversation, so they get no more than they use: of an input, what
 * each member means and its bounds. The rest is left to the validation of a call: some hosts refuse the
 * whole list for a `format`, for `additionalProperties`, or for a list of types such as null makes.
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
 * The structure of a result, by which clients validate it: types and members, and outside of lists also
 * which members are required and which values are enumerated.
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
