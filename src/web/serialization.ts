import fastJson, { type Schema } from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

/**
 * The compiler for Fastify's `setSerializerCompiler`. Like a validator, a serializer is compiled when
 * it is first used: a start would compile one for every response of the contract.
 */
export function createSerializerCompiler(): FastifySerializerCompiler<Schema> {
  return ({ schema }) => {
    let serialize: ((data: unknown) => string) | undefined;
    return (data) => (serialize ??= fastJson(schema))(data);
  };
}
