import { executionAsyncResource } from 'node:async_hooks';
import { StartError } from '../errors.js';
import { describeOutage, isDatabaseUnavailable } from './database-errors.js';
import type { Logger } from './log.js';

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

const outOfDescriptors = ['EMFILE', 'ENFILE'];

/**
 * Handles uncaught errors. The process continues after an error in a timer, because no request waits
 * for one (libraries sample and clean up there), and when file descriptors run out, which is
 * temporary. After any other error its state is unknown: `end` is called.
 */
export function handleUncaught(log: Logger, onFatal: (error: unknown) => void): void {
  const timer = setTimeout(() => undefined);
  clearTimeout(timer);

  process.on('uncaughtException', (error) => {
    // Node emits this in the context of the callback that threw.
    const isThrownByTimer = executionAsyncResource().constructor === timer.constructor;
    handle(error, isThrownByTimer);
  });
  process.on('unhandledRejection', (reason) => handle(reason, false));

  function handle(error: unknown, isThrownByTimer: boolean): void {
    if (isThrownByTimer || isOutOfDescriptors(error)) {
      log.error({ err: error }, 'an uncaught failure was survived');
    } else {
      onFatal(error);
    }
  }
}

function isOutOfDescriptors(error: unknown): boolean {
  return error instanceof Error && 'code' in error && outOfDescriptors.includes(String(error.code));
}
