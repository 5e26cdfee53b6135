import { ROOT_CONTEXT, trace, type Context } from '@opentelemetry/api';
import type { Telemetry } from 'bullmq';
import { BullMQOtel } from 'bullmq-otel';
import { fromTraceParent, recordingSpan, toTraceParent } from './spans.js';

/** BullMQ's telemetry. Jobs that are added within a trace carry its context, as a `traceparent`. */
export function createJobTelemetry(): Telemetry<Context> {
  const { tracer, contextManager } = new BullMQOtel({ enableMetrics: false });
  return {
    tracer,
    contextManager: {
      with: (context: Context, work) => contextManager.with(context, work),
      active: () => contextManager.active(),
      root: () => ROOT_CONTEXT,
      getMetadata(context: Context) {
        const span = recordingSpan(context);
        // BullMQ leaves out what is empty.
        return span === null ? '' : toTraceParent(span.spanContext());
      },
      fromMetadata(_active, metadata) {
        const parent = fromTraceParent(metadata);
        return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
      },
    },
  };
}
