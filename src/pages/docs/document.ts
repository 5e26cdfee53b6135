import { document } from '../../../generated/document.js';

/** The parts of a schema in the reference. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: unknown[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

interface Described {
  $ref?: string;
  description?: string;
}

export interface Parameter extends Described {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

export interface Content {
  content?: Record<string, { schema?: Schema; example?: unknown }> | undefined;
}

interface Response extends Described, Content {
  headers?: Record<string, Described>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: Content;
  responses: Record<string, Response>;
}

interface Components {
  schemas: Record<string, Schema>;
  securitySchemes: Record<string, Described>;
}

/** The parts of openapi.yaml that the reference shows. */
export const described = document as unknown as {
  info: { title: string; version: string; summary: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: Components;
};

/** The part of the document that a reference names, or the value itself. */
export function resolve<Part extends { $ref?: string }>(part: Part): Part {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(\w+)$/.exec(part.$ref ?? '') ?? [];
  const kinds = described.components as unknown as Record<string, Record<string, Part>>;
  return kinds[kind]?.[name] ?? part;
}
