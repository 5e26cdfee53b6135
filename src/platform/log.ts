import { writeSync } from 'node:fs';
import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import type { LogLevel } from '../config.js';

export type Logger = PinoLogger;

const standardOutputNumber = 1;
const longestBacklogBytes = 100_000;
const retryMs = 100;

/**
 * Structured logs, one JSON line each. What could carry a secret or a person is not redacted here
 * and there but never logged: requests are logged by operation, and errors without their values.
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
 * Standard output, written once per turn of the event loop: a system call for every line costs a
 * busy process a tenth of its time. A process that is killed loses the lines of that turn. Where
 * nothing can be written (a full disk, a reader that is gone or stands still), the service goes on:
 * some lines are kept and tried again, the others are lost.
 */
function standardOutput(): DestinationStream {
  let lines = '';
  let unwritten: Buffer = Buffer.alloc(0);
  let isDue = false;
  let isUsed = false;

  function flush(): void {
    isDue = false;
    if (unwritten.length === 0) unwritten = Buffer.from(lines);
    else if (unwritten.length < longestBacklogBytes) {
      unwritten = Buffer.concat([unwritten, Buffer.from(lines)]);
    }
    lines = '';
    try {
      while (unwritten.length > 0) {
        unwritten = unwritten.subarray(writeSync(standardOutputNumber, unwritten));
      }
    } catch {
      isDue = true;
      setTimeout(flush, retryMs).unref();
    }
  }

  return {
    write(line) {
      lines += line;
      if (!isUsed) process.once('exit', flush);
      isUsed = true;
      if (isDue) return;
      isDue = true;
      setImmediate(flush);
    },
  };
}

/**
 * What a log may know of an error: its class, code, message and stack. Members that PostgreSQL
 * fills with a row's values (`detail`, `where`) are left out.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error };
  const { code } = error as { code?: unknown };
  return { name: error.name, code, message: error.message, stack: error.stack };
}
