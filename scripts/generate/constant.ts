import type { JsonObject } from './document.js';
import { header } from './text.js';

const types = `
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };

export type JsonObject = { readonly [member: string]: JsonValue };

/** The parts of an OpenAPI document that the service reads. */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: string;
  readonly info: JsonObject & { readonly title: string; readonly version: string };
  readonly servers: readonly JsonObject[];
  readonly tags: readonly (JsonObject & { readonly name: string; readonly description: string })[];
  readonly paths: { readonly [path: string]: JsonObject };
  readonly components: JsonObject & { readonly schemas: { readonly [name: string]: JsonObject } };
}
`;

/** The file with the document as a constant, its \`$ref\`s as they are written. */
export function emitConstant(document: JsonObject): string {
  return `${header}${types}
/** The contents of openapi.yaml. */
export const document: OpenApiDocument = ${JSON.stringify(document)};
`;
}
