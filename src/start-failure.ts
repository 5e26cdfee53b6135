import { ConfigError } from './config.js';
import { EmbeddedPostgresError } from './database/embedded/error.js';

/** Ends the process with 1: with a sentence for whoever started it, or with a stack for us. */
export function failStart(error: unknown): void {
  const expected = error instanceof ConfigError || error instanceof EmbeddedPostgresError;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${expected ? error.message : stack}\n`);
  process.exitCode = 1;
}
