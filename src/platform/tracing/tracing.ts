import type { Telemetry } from 'bullmq';
import type { FastifyInstance } from 'fastify';

/** Attributes without keys, addresses and personal data. Unlisted names are not exported. */
export type SpanAttributes = Record<string, string | number>;

export interface NewSpan<Result> {
  name: string;
  kind: 'internal' | 'client';
  attributes: SpanAttributes;
  /** A time of `performance.now()`; by default now. */
  startedAt?: number;
  /** Attributes of the result. With `error.type` among them, the span is marked as failed. */
  describe?: (result: Result) => SpanAttributes;
}

/**
 * The traces of this process, which begin with sampled requests only. `work` is called at once, and its
 * promise is returned.
 */
export interface Tracing {
  isOn: boolean;
  /** The option `telemetry` of queues and workers. */
  jobTelemetry: Telemetry | null;
  /** Traces a share of the requests. Call before the first route is added. */
  traceRequests(app: FastifyInstance): Promise<void>;
  /** Runs `work` in a span below the active one, if there is one. */
  inActiveTrace<Result>(span: () => NewSpan<Result>, work: () => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` in a span of the trace that rows carry. Its parent is the first context that is not null,
   * unless a span of the same trace is active; it has links to the others. Without contexts, there is no
   * span.
   */
  continueTrace<Result>(
    contexts: readonly (string | null)[],
    span: NewSpan<Result>,
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** Exports the remaining spans. */
  stop(): Promise<void>;
}

/** Traces nothing. */
export const noTracing: Tracing = {
  isOn: false,
  jobTelemetry: null,
  traceRequests: () => Promise.resolve(),
  inActiveTrace: (_span, work) => work(),
  continueTrace: (_contexts, _span, work) => work(),
  stop: () => Promise.resolve(),
};

let read: () => string | null = () => null;

/**
 * The active span as a `traceparent` (W3C Trace Context, section 3.2), for a row that continues its
 * trace; null while nothing is traced. It is ambient, like the active span.
 */
export function activeTraceContext(): string | null {
  return read();
}

/** Sets the reader of the active tracing; null when it stops. */
export function setTraceContextReader(reader: (() => string | null) | null): void {
  read = reader ?? (() => null);
}
