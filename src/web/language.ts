import type { FastifyRequest } from 'fastify';
import { english, type Language } from '../locales/language.js';

/** The language in which a person reads the answer. */
export function languageOf(_request: FastifyRequest): Language {
  return english;
}
