import canonicalizeModule from 'canonicalize';

// The package is CommonJS and exports the function itself; its types say `exports.default`.
const serialize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

/** RFC 8785: equal JSON values give equal text. */
export function canonicalize(value: object): string {
  const text = serialize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}
