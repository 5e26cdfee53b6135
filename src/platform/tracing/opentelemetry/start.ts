import { randomUUID } from 'node:crypto';
import { context, diag, SpanKind, trace } from '@opentelemetry/api';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Config } from '../../../config/config.js';
import type { Logger } from '../../log.js';
import { readPackage } from '../../package-root.js';
import { setTraceContextReader, type Tracing } from '../tracing.js';
import { RecordedContextManager } from './context-manager.js';
import { createExporter, logDroppedSpans } from './exporter.js';
import { createJobTelemetry } from './job-telemetry.js';
import { createReadSpans } from './read-spans.js';
import { traceRequests } from './requests.js';
import { createSpans, recordingSpan, toTraceParent } from './spans.js';

/** The longest that a timer of Node.js waits, 24 days. */
const maxTimerMs = 2 ** 31 - 1;

/** Lets only requests begin a trace: `traceRequests` decides whether they do, before there is a span. */
const onlyRequests: Sampler = {
  shouldSample: (_context, _traceId, _name, kind) => ({
    decision:
      kind === SpanKind.SERVER ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
  }),
  toString: () => 'OnlyRequests',
};

/** Starts tracing for the process; one at a time. */
export function startTracing(
  config: Pick<Config, 'role' | 'otelServiceName' | 'otelTracesSamplerArg'>,
  log: Logger,
): Tracing {
  const { name, version } = readPackage();
  const contextManager = new RecordedContextManager();
  // The host and the process are left out: they have command lines and names of users.
  const resource = defaultResource().merge(
    resourceFromAttributes({
      'service.name': config.otelServiceName,
      'service.version': version,
      'service.instance.id': randomUUID(),
      'service.role': config.role,
    }),
  );
  logDroppedSpans(log);
  const provider = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: onlyRequests }),
    // A batch of events, see `dispatchBatchSize`.
    spanLimits: { linkCountLimit: 500 },
    spanProcessors: [
      contextManager,
      // Its queue is bounded: spans that do not fit are dropped.
      new BatchSpanProcessor({
        exporter: createExporter(resource, log),
        // The exporter ends each export; a second one would wait for it.
        exportTimeoutMillis: maxTimerMs,
      }),
    ],
  });
  const tracer = provider.getTracer(name, version);
  const readSpans = createReadSpans(tracer);
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(contextManager);
  setTraceContextReader(() => {
    const span = recordingSpan(context.active());
    return span === null ? null : toTraceParent(span.spanContext());
  });
  return {
    isOn: true,
    jobTelemetry: createJobTelemetry(),
    traceRequests: (app) => traceRequests(app, config.otelTracesSamplerArg, readSpans),
    ...createSpans(tracer),
    async stop() {
      setTraceContextReader(null);
      readSpans.flush();
      await provider.shutdown();
      context.disable();
      trace.disable();
      diag.disable();
    },
  };
}
