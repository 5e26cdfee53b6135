import openapiTS, { astToString } from 'openapi-typescript';
import { header } from './text.js';

/** The client's types: paths, operations and components as openapi-typescript writes them. */
export async function emitClient(yamlText: string): Promise<string> {
  const nodes = await openapiTS(yamlText, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    defaultNonNullable: false,
    silent: true,
  });
  return header + astToString(nodes);
}
