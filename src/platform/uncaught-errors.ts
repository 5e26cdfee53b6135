import { executionAsyncResource } from 'node:async_hooks';
import type { Logger } from './log.js';

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
