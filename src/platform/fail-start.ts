import { inspect } from 'node:util';
import { StartError } from '../errors.js';

const lingerMs = 500;

/**
 * Ends the process with 1: with a sentence for whoever started it, or with a stack for us. What does
 * not let go (a connection to a store that is down, which is tried again for ever) does not keep it.
 */
export function failStart(error: unknown): void {
  const expected = error instanceof StartError;
  process.stderr.write(`${expected ? error.message : inspect(error)}\n`);
  process.exitCode = 1;
  setTimeout(() => process.exit(), lingerMs).unref();
}
