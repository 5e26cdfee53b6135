import { inspect } from 'node:util';
import { ConfigError } from './config.js';
import { EmbeddedPostgresError } from './database/embedded/error.js';

/** Ends the process with 1: with a sentence for whoever started it, or with a stack for us. */
export function failStart(error: unknown): void {
  const expected = error instanceof ConfigError || error instanceof EmbeddedPostgresError;
  process.stderr.write(`${expected ? error.message : inspect(error)}\n`);
  process.exitCode = 1;
}
