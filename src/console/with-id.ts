import { Type } from '@sinclair/typebox';

/** Options of a route whose `:id` is a UUID. Any other address does not exist. */
export const withId = {
  schema: { params: Type.Object({ id: Type.String({ format: 'uuid' }) }) },
};
