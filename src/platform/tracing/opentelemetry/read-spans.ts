import { ROOT_CONTEXT, SpanKind, type Tracer } from '@opentelemetry/api';

/** A request that has ended, with times of `performance.now()`. */
export interface EndedRead {
  method: string;
  route: string;
  statusCode: number;
  startedAt: number;
  endedAt: number;
}

export interface ReadSpans {
  add(read: EndedRead): void;
  /** Makes the spans of the added reads. */
  flush(): void;
}

const maxWaiting = 128;
const flushAfterMs = 1_000;

/**
 * Makes spans of reads after their responses, many at once. A span during one request in a hundred takes
 * longer, since its code is in no cache, and slows the next requests, whose code it displaces.
 */
export function createReadSpans(tracer: Tracer): ReadSpans {
  let waiting: EndedRead[] = [];
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    const reads = waiting;
    waiting = [];
    for (const read of reads) makeSpan(tracer, read);
  }

  return {
    add(read) {
      waiting.push(read);
      if (waiting.length === 1) timer = setTimeout(flush, flushAfterMs).unref();
      if (waiting.length === maxWaiting) flush();
    },
    flush,
  };
}

function makeSpan(
  tracer: Tracer,
  { method, route, statusCode, startedAt: startTime, endedAt }: EndedRead,
): void {
  const attributes = {
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': statusCode,
  };
  tracer
    .startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, startTime, attributes }, ROOT_CONTEXT)
    .end(endedAt);
}
