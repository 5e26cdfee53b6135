import { StartError } from '../errors.js';
import { describeOutage, isDatabaseUnavailable } from './database-errors.js';

const lingerMs = 500;

/**
 * Prints a sentence, and exits with status 1. The exit is forced after half a second: a client that
 * reconnects for ever would keep the process alive.
 */
export function exitWithError(error: unknown): void {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
  setTimeout(() => process.exit(), lingerMs).unref();
}

/** Whether the operator can act on an error without its stack. */
export function isExpected(error: unknown): boolean {
  return error instanceof StartError || isDatabaseUnavailable(causeOf(error));
}

function explain(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const cause = causeOf(error);
  if (isDatabaseUnavailable(cause)) return describeOutage(cause);
  return `The program failed: ${cause instanceof Error ? cause.message : String(cause)}.`;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? error) : error;
}
