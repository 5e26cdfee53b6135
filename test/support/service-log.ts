import { Writable } from 'node:stream';
import type { Scope } from './scope.js';

/**
 * What a service under test logs. A line at `warn` or above would go unread in a passing run, so it
 * fails the test unless the test expects it.
 */
export interface ServiceLog {
  /** One JSON line per entry, oldest first. */
  lines: string[];
  /** Where the service's logger writes. */
  destination: Writable;
  /** Adds a line of output, which need not be a log entry. */
  add(line: string): void;
  /** Allows lines at `warn` or above that match, including those already logged. */
  expect(...patterns: RegExp[]): void;
  /** Fails the test for unexpected lines at `warn` or above. Call it after the service has stopped. */
  verify(t: Scope): void;
}

/** Logged by a service that loses its database, or the connection to it. */
export const lostDatabase =
  /connection for notifications was lost|notifications could not be listened to|idle database connection was lost|could not be read; retrying/;

/** Logged by a service that gets a form with another `Origin` than its own. */
export const originMismatch = /was not opened at PUBLIC_BASE_URL/;

/** Logged by a service whose queues lose their store. */
export const queueFailed = /a queue failed|a worker failed|an idle queue connection was lost/;

/** Logged by a service that cannot reach its Redis. */
export const lostRedis = /connection to Redis failed|Redis does not answer/;

const levels = new Set(['warn', 'error', 'fatal']);

export function createServiceLog(): ServiceLog {
  const lines: string[] = [];
  const expected: RegExp[] = [];
  const add = (line: string) => void lines.push(line);
  return {
    lines,
    add,
    destination: new Writable({
      write(chunk: Buffer, _encoding, done) {
        add(chunk.toString());
        done();
      },
    }),
    expect(...patterns) {
      expected.push(...patterns);
    },
    verify(t) {
      const unexpected = lines.filter(
        (line) => isWarning(line) && !expected.some((pattern) => pattern.test(line)),
      );
      if (unexpected.length === 0) return;
      t.threw?.(
        new Error(`the service logged what the test does not expect:\n${unexpected.join('\n')}`),
      );
    },
  };
}

function isWarning(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    return levels.has((JSON.parse(line) as { level: string }).level);
  } catch {
    // The line that a killed process was writing.
    return false;
  }
}
