import protobuf from 'protobufjs';
import type { Test } from 'tap';
import { startReceiver } from './receiver.js';

/** A span as a collector receives it. */
export interface CollectedSpan {
  name: string;
  kind: string;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  attributes: Record<string, string | number>;
  /** Trace ids. */
  links: string[];
  /** `service.instance.id` of its process. */
  instance: string;
  status: string;
}

/** The messages of opentelemetry-proto 1.9, as far as spans need them. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; }
  }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5;
    Kind kind = 6; repeated KeyValue attributes = 9; repeated Link links = 13; Status status = 15;
    enum Kind { UNSPECIFIED = 0; INTERNAL = 1; SERVER = 2; CLIENT = 3; PRODUCER = 4; CONSUMER = 5; }
    message Link { bytes trace_id = 1; bytes span_id = 2; }
  }
  message Status { Code code = 3; enum Code { UNSET = 0; OK = 1; ERROR = 2; } }
`);
const requestType = root.lookupType('Request');

interface KeyValue {
  key: string;
  value: Record<string, string | number>;
}

interface WireSpan extends Pick<CollectedSpan, 'name' | 'kind'> {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  attributes: KeyValue[];
  links: { traceId: string }[];
  status: { code: string } | null;
}

interface WireRequest {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: WireSpan[] }[] }[];
}

/** Starts a receiver of OTLP over HTTP. */
export async function startTraceCollector(t: Test) {
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  const decoded: CollectedSpan[][] = [];
  return {
    endpoint: receiver.origin,
    receiver,
    /** What has been received so far; read it when the processes have ended. */
    spans() {
      for (const { body } of receiver.requests.slice(decoded.length)) decoded.push(decode(body));
      return decoded.flat();
    },
    /** The bytes of all requests, for what must not be in them. */
    bytes: () => Buffer.concat(receiver.requests.map(({ body }) => body)),
  };
}

function decode(body: Buffer): CollectedSpan[] {
  const options = { bytes: String, enums: String, longs: Number, defaults: true, arrays: true };
  const { resourceSpans } = requestType.toObject(requestType.decode(body), options) as WireRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const instance = String(attributesOf(resource.attributes)['service.instance.id']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => collected(span, instance)));
  });
}

function collected(span: WireSpan, instance: string): CollectedSpan {
  return {
    name: span.name,
    kind: span.kind,
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentSpanId: hex(span.parentSpanId),
    attributes: attributesOf(span.attributes),
    links: span.links.map(({ traceId }) => hex(traceId)),
    instance,
    status: span.status?.code ?? 'UNSET',
  };
}

const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

function attributesOf(list: KeyValue[]): Record<string, string | number> {
  return Object.fromEntries(
    list.map(({ key, value }) => [key, Object.values(value)[0] ?? ''] as const),
  );
}
