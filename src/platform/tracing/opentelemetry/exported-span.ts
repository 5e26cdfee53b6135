import {
  SpanKind,
  SpanStatusCode,
  type Attributes,
  type SpanContext,
  type SpanStatus,
} from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';

/** A span as plain data for a thread. All spans of a process have the same resource. */
export interface ExportedSpan extends Omit<ReadableSpan, 'spanContext' | 'resource'> {
  context: SpanContext;
}

/**
 * The attributes that leave the process. Libraries add others, such as URLs, error messages and job
 * options, which contain people's names, addresses and tokens.
 */
const exportedAttributes: ReadonlySet<string> = new Set([
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'error.type',
  'db.system.name',
  'db.query.summary',
  'messaging.batch.message_count',
  'bullmq.queue.name',
  'bullmq.queue.operation',
  'bullmq.job.name',
  'bullmq.job.id',
  'bullmq.job.attempts.made',
  'bullmq.job.bulk.count',
  'webhook.subscription.id',
  'webhook.delivery.id',
  'webhook.event.id',
  'webhook.event.type',
  'webhook.attempt',
  'webhook.outcome',
  'mail.id',
  'mail.kind',
  'mail.recipient',
  'mail.attempt',
  'mail.outcome',
  'mail.reply_code',
]);

/**
 * The exported span: without unlisted attributes, events (exceptions with their messages and stacks) and
 * the text of its status.
 */
export function toExportedSpan(span: ReadableSpan): ExportedSpan {
  const { name, kind, startTime, endTime, duration, ended, instrumentationScope } = span;
  const { parentSpanContext } = span;
  const attributes = exportedAttributesOf(span);
  const links = span.links.map(({ context }) => ({ context: plain(context) }));
  return {
    name,
    kind,
    context: plain(span.spanContext()),
    ...(parentSpanContext && { parentSpanContext: plain(parentSpanContext) }),
    startTime,
    endTime,
    duration,
    ended,
    instrumentationScope,
    status: statusOf(span, attributes),
    attributes,
    links,
    events: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: span.droppedLinksCount,
  };
}

/** The span as the exporters of OpenTelemetry take it. */
export function toReadableSpan(
  { context, ...span }: ExportedSpan,
  resource: Resource,
): ReadableSpan {
  return { ...span, resource, spanContext: () => context };
}

/** A span's context without `traceState`, which has methods; no span of ours has one. */
function plain({ traceId, spanId, traceFlags, isRemote = false }: SpanContext): SpanContext {
  return { traceId, spanId, traceFlags, isRemote };
}

function exportedAttributesOf({ kind, attributes }: ReadableSpan): Attributes {
  const exported = Object.fromEntries(
    Object.entries(attributes).filter(([name]) => exportedAttributes.has(name)),
  );
  if (kind !== SpanKind.SERVER) return exported;
  const status = exported['http.response.status_code'];
  const hasFailed = typeof status === 'number' && status >= 500;
  return {
    ...exported,
    // The conventions require it. Paths contain tokens.
    'url.path': exported['http.route'] ?? '/',
    ...(hasFailed && { 'error.type': String(status) }),
  };
}

/** The status by the conventions: a refused request (4xx) is no error of the server. */
function statusOf({ kind, status, events }: ReadableSpan, attributes: Attributes): SpanStatus {
  const hasFailed =
    kind === SpanKind.SERVER
      ? 'error.type' in attributes
      : status.code === SpanStatusCode.ERROR || events.some(({ name }) => name === 'exception');
  return { code: hasFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET };
}
