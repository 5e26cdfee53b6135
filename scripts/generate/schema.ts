import { asObject, type Json, type JsonObject } from './document.js';
import { jsDoc } from './text.js';

/** The context of `emitSchema`. */
export interface SchemaContext {
  /** The path for error messages, such as `components.schemas.HoldRequest.email`. */
  where: string;
  /** Returns the TypeScript of a referenced component. */
  reference: (name: string) => string;
}

const annotations = new Set([
  'title',
  'description',
  'example',
  'examples',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'externalDocs',
  'discriminator',
]);

const constraints: Record<string, readonly string[]> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  boolean: [],
  null: [],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
};

const primitiveTypes: Record<string, [builder: string, type: string]> = {
  string: ['Type.String', 'string'],
  integer: ['Type.Integer', 'number'],
  number: ['Type.Number', 'number'],
  boolean: ['Type.Boolean', 'boolean'],
  null: ['Type.Null', 'null'],
};

const componentPrefix = '#/components/schemas/';

/** The TypeBox expression of a JSON Schema. Throws on any unsupported keyword, type or form. */
export function emitSchema(schema: Json | undefined, place: SchemaContext): string {
  const object = asObject(schema, place.where);
  if (object['$ref'] !== undefined) return emitReference(object, place);
  if (object['oneOf'] !== undefined) return emitUnion(object, 'oneOf', 'OneOf', place);
  if (object['anyOf'] !== undefined) return emitUnion(object, 'anyOf', 'Type.Union', place);
  const types = typesOf(object, place);
  if (types.length === 0) {
    allowOnly(object, [], place);
    return 'Type.Unknown()';
  }
  if (object['enum'] !== undefined) return emitEnum(object, types, place);
  allowOnly(object, ['type', ...types.flatMap((type) => constraints[type] ?? [])], place);
  const others = types.filter((type) => type !== 'null');
  if (types.length === 1) return emitType(object, types[0] as string, place);
  if (types.length === 2 && others.length === 1) {
    return `Nullable(${emitType(object, others[0] as string, place)})`;
  }
  return emitSeveralTypes(object, types, place);
}

function emitReference(object: JsonObject, place: SchemaContext): string {
  const reference = object['$ref'];
  allowOnly(object, ['$ref'], place);
  if (typeof reference !== 'string' || !reference.startsWith(componentPrefix)) {
    fail(place, `$ref must start with ${componentPrefix}`);
  }
  return place.reference(reference.slice(componentPrefix.length));
}

function emitUnion(
  object: JsonObject,
  keyword: string,
  builder: string,
  place: SchemaContext,
): string {
  allowOnly(object, [keyword], place);
  const branches = object[keyword];
  if (!Array.isArray(branches) || branches.length < 2) fail(place, `${keyword} needs two schemas`);
  const emitted = branches.map((branch, index) =>
    emitSchema(branch, { ...place, where: `${place.where}.${keyword}[${index}]` }),
  );
  return `${builder}([${emitted.join(', ')}])`;
}

function emitEnum(object: JsonObject, types: string[], place: SchemaContext): string {
  allowOnly(object, ['type', 'enum'], place);
  const values = object['enum'];
  if (!Array.isArray(values) || values.length === 0) fail(place, 'enum must list values');
  for (const value of values) {
    if (!types.some((type) => isOfType(value, type))) {
      fail(place, `enum value ${JSON.stringify(value)} is not of type ${types.join(' or ')}`);
    }
  }
  return `Enum(${JSON.stringify(object['type'])}, ${JSON.stringify(values)})`;
}

function emitType(object: JsonObject, type: string, place: SchemaContext): string {
  if (type === 'object') return emitObject(object, place);
  if (type === 'array') return emitArray(object, place);
  const [builder] = primitiveTypes[type] as [string, string];
  return `${builder}(${stringifyOptions(constraintsOf(object, type, place))})`;
}

function emitSeveralTypes(object: JsonObject, types: string[], place: SchemaContext): string {
  const typeScriptTypes = types.map((type) => {
    const simple = primitiveTypes[type];
    if (simple === undefined) fail(place, `type ${type} cannot be one of several; use oneOf`);
    return simple[1];
  });
  const options = types.reduce(
    (all, type) => ({ ...all, ...constraintsOf(object, type, place) }),
    {},
  );
  const union = [...new Set(typeScriptTypes)].join(' | ');
  return `Type.Unsafe<${union}>(${stringifyOptions({ type: types, ...options })})`;
}

function emitArray(object: JsonObject, place: SchemaContext): string {
  if (object['items'] === undefined) fail(place, 'an array needs items');
  const itemTypes = typesOf(asObject(object['items'], place.where), place);
  if (object['uniqueItems'] === true && !itemTypes.some((type) => primitiveTypes[type])) {
    // Comparing structured items takes quadratic time, which a hostile client could exploit.
    fail(place, 'uniqueItems needs items of an inline simple type');
  }
  const items = emitSchema(object['items'], { ...place, where: `${place.where}[]` });
  const options = constraintsOf(object, 'array', place);
  delete options['items'];
  return Object.keys(options).length === 0
    ? `Type.Array(${items})`
    : `Type.Array(${items}, ${stringifyOptions(options)})`;
}

function emitObject(object: JsonObject, place: SchemaContext): string {
  const properties = asObject(object['properties'] ?? {}, `${place.where}: properties`);
  const required = object['required'] ?? [];
  if (!Array.isArray(required)) fail(place, 'required must be a list');
  for (const name of required) {
    if (typeof name !== 'string' || properties[name] === undefined) {
      fail(place, `required names ${JSON.stringify(name)}, which is not a property`);
    }
  }
  const { minProperties, maxProperties } = object;
  const bounds = {
    ...(minProperties === undefined ? {} : { minProperties }),
    ...(maxProperties === undefined ? {} : { maxProperties }),
  };
  const additional = object['additionalProperties'] ?? true;
  const names = Object.keys(properties);
  if (typeof additional !== 'boolean') {
    if (names.length > 0) fail(place, 'additionalProperties cannot be a schema beside properties');
    const values = emitSchema(additional, { ...place, where: `${place.where}.*` });
    return `MapOf(${values}, ${stringifyOptions(bounds)})`;
  }
  // Explicit even if it is the default: otherwise the serializer drops additional members.
  const options = { ...bounds, additionalProperties: additional };
  if (names.length === 0 && additional) {
    return `Type.Unsafe<Record<string, unknown>>(${stringifyOptions({ type: 'object', ...options })})`;
  }
  const members = names.map((name) => {
    const member = emitSchema(properties[name], { ...place, where: `${place.where}.${name}` });
    const value = required.includes(name) ? member : `Type.Optional(${member})`;
    return `${jsDoc(properties[name])}${JSON.stringify(name)}: ${value},`;
  });
  return `Type.Object({\n${members.join('\n')}\n}, ${stringifyOptions(options)})`;
}

/** The constraints of a type. Throws where Ajv would refuse one or interpret it differently. */
function constraintsOf(object: JsonObject, type: string, place: SchemaContext): JsonObject {
  const options: JsonObject = {};
  for (const keyword of constraints[type] ?? []) {
    const value = object[keyword];
    if (value !== undefined) options[keyword] = value;
  }
  if (typeof options['pattern'] === 'string') {
    try {
      new RegExp(options['pattern'], 'u');
    } catch (error) {
      fail(place, `pattern: ${(error as Error).message}`);
    }
    // The error message of a failed pattern: an agent cannot act on a regular expression.
    if (object['description'] !== undefined) options['description'] = object['description'];
  }
  return options;
}

function typesOf(object: JsonObject, place: SchemaContext): string[] {
  const declared = object['type'] ?? [];
  const types = Array.isArray(declared) ? declared : [declared];
  return types.map((type) => {
    if (typeof type !== 'string' || constraints[type] === undefined) {
      return fail(place, `unknown type ${JSON.stringify(type)}`);
    }
    return type;
  });
}

function isOfType(value: Json, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type && value !== null;
}

function allowOnly(object: JsonObject, known: readonly string[], place: SchemaContext): void {
  for (const keyword of Object.keys(object)) {
    if (known.includes(keyword) || annotations.has(keyword)) continue;
    fail(place, `the generator does not know the keyword ${keyword} here`);
  }
}

function stringifyOptions(options: JsonObject): string {
  return Object.keys(options).length === 0 ? '' : JSON.stringify(options);
}

function fail(place: SchemaContext, problem: string): never {
  throw new Error(`${place.where}: ${problem}`);
}
