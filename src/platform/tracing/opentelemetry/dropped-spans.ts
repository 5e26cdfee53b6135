import { diag, DiagLogLevel } from '@opentelemetry/api';
import type { Logger } from '../../log.js';

const report = /^Dropped \d+ spans/;

/**
 * Logs how many spans were lost because the queue of an exporter was full: the first time as a warning.
 * OpenTelemetry reports that only to its own log, beside much that nobody can act on.
 */
export function logDroppedSpans(log: Logger): void {
  let isFirst = true;
  const ignore = () => undefined;
  diag.setLogger(
    {
      error: ignore,
      warn(message) {
        if (!report.test(message)) return;
        log[isFirst ? 'warn' : 'debug'](
          { cause: message },
          'traces were lost: the collector is slow',
        );
        isFirst = false;
      },
      info: ignore,
      debug: ignore,
      verbose: ignore,
    },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
