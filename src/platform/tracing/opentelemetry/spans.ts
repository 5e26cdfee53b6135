import {
  context,
  type Context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { NewSpan, SpanAttributes, Tracing } from '../tracing.js';

const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT };

export function createSpans(tracer: Tracer): Pick<Tracing, 'inActiveTrace' | 'continueTrace'> {
  const run = <Result>(
    { name, kind, attributes, startedAt, describe }: NewSpan<Result>,
    { parent, links = [] }: { parent: Context; links?: Link[] },
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const startTime = startedAt === undefined ? {} : { startTime: startedAt };
    const options = { kind: kinds[kind], attributes, links, ...startTime };
    const span = tracer.startSpan(name, options, parent);
    // It is async, so that a span ends even if the work throws before it returns a promise.
    const running = context.with(trace.setSpan(parent, span), async () => work());
    running
      .then(
        (result) => end(span, describe?.(result) ?? {}),
        (error: unknown) => end(span, { 'error.type': errorTypeOf(error) }),
      )
      .catch(() => span.end());
    return running;
  };
  return {
    inActiveTrace(span, work) {
      const parent = context.active();
      return recordingSpan(parent) === null ? work() : run(span(), { parent }, work);
    },
    continueTrace(contexts, span, work) {
      const [first, ...others] = distinct(contexts);
      if (first === undefined) return work();
      const active = recordingSpan(context.active())?.spanContext();
      if (active?.traceId === first.traceId) {
        return run(span, { parent: context.active(), links: others.map(linkTo) }, work);
      }
      const links = [...(active === undefined ? [] : [active]), ...others].map(linkTo);
      return run(span, { parent: trace.setSpanContext(ROOT_CONTEXT, first), links }, work);
    },
  };
}

function distinct(contexts: readonly (string | null)[]): SpanContext[] {
  return [...new Set(contexts)].flatMap((each) => fromTraceParent(each) ?? []);
}

const linkTo = (to: SpanContext): Link => ({ context: to });

function end(span: Span, attributes: SpanAttributes): void {
  span.setAttributes(attributes);
  if ('error.type' in attributes) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** The code of a system error or of PostgreSQL (SQLSTATE), or the name of its class. */
function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

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
