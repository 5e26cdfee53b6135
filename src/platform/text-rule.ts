/** The pattern for Ajv, which compiles patterns with the flag `u`. */
const storableText = String.raw`^[^\0\p{Cs}]*$`;

/**
 * A JSON Schema with the rule of every text: PostgreSQL stores no U+0000, and UTF-8 has no unpaired
 * surrogates. `openapi.yaml` has the rule in words only: in consumers' languages, such patterns differ or
 * fail.
 */
export function withTextRule(schema: object): object {
  if (Array.isArray(schema)) return schema.map(within);
  const { type, enum: values, pattern } = schema as Record<string, unknown>;
  const isText = [type].flat().includes('string') && values === undefined && pattern === undefined;
  const members = Object.entries(schema).map(([name, value]) => [name, within(value)]);
  if (isText) members.push(['pattern', storableText]);
  return Object.fromEntries(members) as object;
}

function within(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? withTextRule(value) : value;
}
