import { Writable } from 'node:stream';

/** Logged by a service that loses its database, or the connection to it. */
export const lostDatabase =
  /connection for notifications was lost|notifications could not be listened to|idle database connection was lost|could not be read; retrying/;

/** Logged by a service that gets a form with another `Origin` than its own. */
export const originMismatch = /was not opened at PUBLIC_BASE_URL/;

/** Logged by a service whose queues lose their store. */
export const queueFailed = /a queue failed|a worker failed|an idle queue connection was lost/;

const levels = new Set(['warn', 'error', 'fatal']);

/**
 * What a service under test logs. A line at `warn` or above would go unread in a passing run, so it
 * fails the test unless the test expects it.
 */
export function createServiceLog() {
  const lines: string[] = [];
  // Of the Node of the run, and of the invented studio.
  const expected = [
    /no security updates since|set your own with|set (PUBLIC_BASE_URL|TRUST_PROXY) to/,
  ];
  const add = (line: string) => void lines.push(line);
  return {
    /** One JSON line per entry, oldest first. */
    lines,
    /** Adds a line of output, which need not be a log entry. */
    add,
    /** Where the service's logger writes. */
    destination: new Writable({
      write(chunk: Buffer, _encoding, done) {
        add(chunk.toString());
        done();
      },
    }),
    /** Allows lines at `warn` or above that match, including those already logged. */
    expect(...patterns: RegExp[]) {
      expected.push(...patterns);
    },
    /** Fails the test for unexpected lines at `warn` or above. Call it after the service has stopped. */
    verify(t: Scope) {
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

/** The owner of started resources, which ends them: a test of tap, or a fault of the fault suite. */
export interface Scope {
  teardown(work: () => unknown): void;
  /** Fails the test and continues its teardown. A fault has none: its services may log errors. */
  threw?(error: Error): unknown;
}
