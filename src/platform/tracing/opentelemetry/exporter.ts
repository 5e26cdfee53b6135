import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { diag, DiagLogLevel } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from '../../log.js';
import { type ExportedSpan, toExportedSpan } from './exported-span.js';

/** A limit of our own: OTEL_EXPORTER_OTLP_TIMEOUT does not end an endless response. */
const exportTimeoutMs = 60_000;

/**
 * Sends spans by OTLP over HTTP to the address of the `OTEL_EXPORTER_OTLP_…` variables, one batch after
 * another, from a thread (src/decisions.md). A collector that is down is logged as a warning once, until
 * it is up again.
 */
export function createExporter(
  resource: Resource,
  log: Logger,
  timeoutMs = exportTimeoutMs,
): SpanExporter {
  // It starts at once: a stop may leave it no time to load its modules.
  let thread: Worker | null = startThread();
  let sending = Promise.resolve();
  let isFailing = false;

  function startThread(): Worker {
    const started = new Worker(new URL('./export-thread.js', import.meta.url), {
      workerData: resource.attributes,
    });
    started.on('error', () => {
      thread = null;
    });
    return started;
  }

  async function send(spans: readonly ExportedSpan[]): Promise<void> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      thread ??= startThread();
      thread.postMessage(spans);
      // Rejects if the thread fails, or takes too long.
      const [reason] = (await once(thread, 'message', { signal })) as [string | null];
      if (reason !== null) throw new Error(reason);
      if (isFailing) log.info('traces are exported again');
      isFailing = false;
    } catch (error) {
      // A late answer would be taken for that of the next export.
      if (signal.aborted) await endThread();
      log[isFailing ? 'debug' : 'warn'](
        { err: error },
        'traces could not be exported; they are lost',
      );
      isFailing = true;
    }
  }

  async function endThread(): Promise<void> {
    const ending = thread?.terminate();
    thread = null;
    await ending;
  }

  return {
    export(spans, done) {
      const exported = spans.map(toExportedSpan);
      sending = sending.then(() => send(exported));
      // A failure would only be reported to OpenTelemetry's own log.
      void sending.then(() => done({ code: ExportResultCode.SUCCESS }));
    },
    forceFlush: () => sending,
    async shutdown() {
      await sending;
      await endThread();
    },
  };
}

const report = /^Dropped \d+ spans/;

/**
 * Logs how many spans were lost because the queue of an exporter was full: the first time as a warning.
 * OpenTelemetry reports it only to its own log, beside much that is of no use.
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
