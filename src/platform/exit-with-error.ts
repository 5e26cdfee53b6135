import { inspect } from 'node:util';
import { StartError } from '../errors.js';

const lingerMs = 500;

/**
 * Prints a `StartError`'s sentence, or the stack of any other error, and exits with status 1. The
 * exit is forced after half a second: a client that reconnects for ever would keep the process alive.
 */
export function exitWithError(error: unknown): void {
  const expected = error instanceof StartError;
  process.stderr.write(`${expected ? error.message : inspect(error)}\n`);
  process.exitCode = 1;
  setTimeout(() => process.exit(), lingerMs).unref();
}
