import { asObject, type JsonObject } from './document.js';
import { emitSchema } from './schema.js';
import { header, jsDoc } from './text.js';

/** The helpers of the generated schemas. */
export const helperNames = ['Enum', 'MapOf', 'Nullable', 'OneOf'];

const helpers = `
/** A value from a list, kept as \`enum\`. */
export function Enum<const Value extends string | number | boolean | null>(
  type: string | string[],
  values: Value[],
) {
  return Type.Unsafe<Value>({ type, enum: values });
}

/** An object with any names, whose values all have one schema. */
export function MapOf<Values extends TSchema>(values: Values, options: ObjectOptions = {}) {
  return Type.Unsafe<Record<string, Static<Values>>>({
    ...options,
    type: 'object',
    additionalProperties: values,
  });
}

/** The schema or null, kept as a list of types. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema['type'], 'null'] });
}

/** Exactly one of the schemas. */
export function OneOf<Schemas extends TSchema[]>(oneOf: [...Schemas]) {
  return Type.Unsafe<Static<Schemas[number]>>({ oneOf });
}
`;

/** The file with a TypeBox schema and a type per component, in the order of their dependencies. */
export function emitSchemas(document: JsonObject): string {
  const components = asObject(document['components'], 'components');
  const schemas = asObject(components['schemas'], 'components.schemas');
  const finished = new Map<string, string>();
  const open: string[] = [];

  function emitComponent(name: string): string {
    if (finished.has(name)) return name;
    if (open.includes(name)) throw new Error(`${[...open, name].join(' -> ')}: recursive schema`);
    if (!/^[A-Z]\w*$/u.test(name) || name === 'Type' || helperNames.includes(name)) {
      throw new Error(`components.schemas.${name}: the name cannot be used for a constant`);
    }
    open.push(name);
    const where = `components.schemas.${name}`;
    const schema = schemas[name];
    const expression = emitSchema(schema, { where, reference: emitComponent });
    open.pop();
    finished.set(
      name,
      `${jsDoc(schema)}export const ${name} = ${expression};\n` +
        `export type ${name} = Static<typeof ${name}>;\n`,
    );
    return name;
  }

  Object.keys(schemas).forEach(emitComponent);
  const imports =
    "import { Type, type ObjectOptions, type Static, type TSchema } from '@sinclair/typebox';\n";
  return `${header}${imports}${helpers}${[...finished.values()].join('\n')}`;
}
