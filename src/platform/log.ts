import { writeSync } from 'node:fs';
import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import type { LogLevel } from '../config/config.js';

export type Logger = PinoLogger;

const stdoutFd = 1;
const maxBacklogBytes = 100_000;
const retryMs = 100;

/**
 * Structured logs, one JSON line per entry. Secrets and personal data are never logged: requests are
 * logged by route, errors without the values of rows.
 */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return pino(options, destination ?? standardOutput());
}

/**
 * Standard output, flushed once per iteration of the event loop (src/decisions.md). A killed process
 * loses the lines of one iteration. While writes fail (full disk, stalled or closed reader), lines are
 * kept up to a limit and retried, and further lines are dropped: logging never stops the service.
 */
function standardOutput(): DestinationStream {
  let lines = '';
  let unwritten: Buffer = Buffer.alloc(0);
  let isFlushScheduled = false;
  let hasExitHandler = false;

  function flush(): void {
    isFlushScheduled = false;
    if (unwritten.length === 0) unwritten = Buffer.from(lines);
    else if (unwritten.length < maxBacklogBytes) {
      unwritten = Buffer.concat([unwritten, Buffer.from(lines)]);
    }
    lines = '';
    try {
      while (unwritten.length > 0) {
        unwritten = unwritten.subarray(writeSync(stdoutFd, unwritten));
      }
    } catch {
      isFlushScheduled = true;
      setTimeout(flush, retryMs).unref();
    }
  }

  return {
    write(line) {
      lines += line;
      if (!hasExitHandler) process.once('exit', flush);
      hasExitHandler = true;
      if (isFlushScheduled) return;
      isFlushScheduled = true;
      setImmediate(flush);
    },
  };
}

/**
 * Logs the class, code, message and stack of an error. PostgreSQL's `detail` and `where` are left
 * out: they contain values of rows.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error };
  const { code } = error as { code?: unknown };
  return { name: error.name, code, message: error.message, stack: error.stack };
}
