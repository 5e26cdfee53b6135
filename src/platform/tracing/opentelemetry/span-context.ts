import {
  isSpanContextValid,
  trace,
  TraceFlags,
  type Context,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';

/** The span of a context, if it is recorded and has not ended. */
export function recordingSpan(context: Context): Span | null {
  const span = trace.getSpan(context);
  return span?.isRecording() === true ? span : null;
}

/** `00-<trace id>-<span id>-01` */
export function toTraceParent({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-01`;
}

/** Null unless it is a sampled `traceparent`. */
export function fromTraceParent(text: string | null): SpanContext | null {
  const parsed = text === null ? null : parseTraceParent(text);
  if (parsed === null || !isSpanContextValid(parsed)) return null;
  return (parsed.traceFlags & TraceFlags.SAMPLED) === 0 ? null : { ...parsed, isRemote: true };
}
