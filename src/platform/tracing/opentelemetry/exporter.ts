import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from '../../log.js';
import { toExportedSpan } from './exported-span.js';

/**
 * Sends spans by OTLP over HTTP to where the `OTEL_EXPORTER_OTLP_…` variables say. A collector that is
 * down is logged as a warning once, until it is up again.
 */
export function createExporter(log: Logger): SpanExporter {
  const exporter = new OTLPTraceExporter();
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans.map(toExportedSpan), (result) => {
        const hasFailed = result.code === ExportResultCode.FAILED;
        const level = hasFailed && !isFailing ? 'warn' : 'debug';
        if (hasFailed)
          log[level]({ err: result.error }, 'traces could not be exported; they are lost');
        else if (isFailing) log.info('traces are exported again');
        isFailing = hasFailed;
        // A failure would only be reported to OpenTelemetry's own log.
        done({ code: ExportResultCode.SUCCESS });
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
