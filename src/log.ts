import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import type { LogLevel } from './config.js';

export type Logger = PinoLogger;

const longestHeldBytes = 16_000;

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
 * busy process a tenth of its time. Only a process that is killed loses lines, those of that turn.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true, minLength: longestHeldBytes });
  let isDue = false;
  let isUsed = false;
  const flush = (): void => {
    isDue = false;
    output.flushSync();
  };
  return {
    write(line) {
      output.write(line);
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
