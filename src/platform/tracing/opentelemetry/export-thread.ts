/**
 * The thread of an exporter (exporter.ts). Its `workerData` are the attributes of the resource, each
 * message the spans of one export. It answers with null, or with the reason of a failure.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Attributes } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { toReadableSpan, type ExportedSpan } from './exported-span.js';

const resource = resourceFromAttributes(workerData as Attributes);
const exporter = new OTLPTraceExporter();

parentPort?.on('message', (spans: ExportedSpan[]) => {
  const readable = spans.map((span) => toReadableSpan(span, resource));
  exporter.export(readable, ({ error }) =>
    parentPort?.postMessage(error === undefined ? null : reasonOf(error)),
  );
});

/** The message with the status or the system's code. The error's data, the response, are left out. */
function reasonOf({ message, code }: Error & { code?: unknown }): string {
  return [message, code].filter(Boolean).join(', ');
}
