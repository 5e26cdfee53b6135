import { executionAsyncResource } from 'node:async_hooks';
import type { Logger } from './log.js';

const outOfDescriptors = ['EMFILE', 'ENFILE'];

/**
 * Decides what becomes of the process after an error that nobody caught. It goes on where a timer
 * threw the error, since nobody waits for what a timer does (libraries sample and tidy up there), and
 * where file descriptors have run out, which passes. After any other error the state of the process
 * is unknown: `end` is called.
 */
export function handleUncaught(log: Logger, end: (error: unknown) => void): void {
  const timer = setTimeout(() => undefined);
  clearTimeout(timer);

  process.on('uncaughtException', (error) => {
    // Node emits this in the context of the callback that threw.
    const isThrownByTimer = executionAsyncResource().constructor === timer.constructor;
    decide(error, isThrownByTimer);
  });
  process.on('unhandledRejection', (reason) => decide(reason, false));

  function decide(error: unknown, isThrownByTimer: boolean): void {
    if (isThrownByTimer || isShortage(error)) {
      log.error({ err: error }, 'an uncaught failure was survived');
    } else {
      end(error);
    }
  }
}

function isShortage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && outOfDescriptors.includes(String(error.code));
}
