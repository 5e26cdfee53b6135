import type { Logger } from '../platform/log.js';

/** Logs errors as warnings, and at level debug after `close`. */
export interface ErrorLog {
  /** Returns an event handler that logs its first error at once, and then once a minute their number. */
  report(message: string, queue?: string): (error: Error) => void;
  close(): void;
}

const everyMs = 60_000;

/** Limits the log: a store that is down fails hundreds of fetches, locks and jobs a second. */
export function createErrorLog(log: Logger): ErrorLog {
  const flushes: (() => void)[] = [];
  let isClosed = false;
  return {
    report(message, queue) {
      let timer: NodeJS.Timeout | undefined;
      let count = 0;
      let latest: Error | undefined;
      const flush = (): void => {
        clearTimeout(timer);
        timer = undefined;
        if (count === 0) return;
        log.warn({ err: latest, queue, count }, `${message} (logged at most once a minute)`);
        count = 0;
        timer = setTimeout(flush, everyMs).unref();
      };
      flushes.push(flush);
      return (error) => {
        if (isClosed) {
          log.debug({ err: error, queue }, message);
          return;
        }
        latest = error;
        count += 1;
        if (timer === undefined) flush();
      };
    },
    close() {
      isClosed = true;
      for (const flush of flushes) flush();
    },
  };
}
