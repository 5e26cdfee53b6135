let read: () => string | null = () => null;

/**
 * The active span as a `traceparent` (W3C Trace Context, section 3.2), for a row that continues its
 * trace; null while nothing is traced. Ambient, as the active span itself is.
 */
export function activeTraceContext(): string | null {
  return read();
}

/** Called by the tracing that is on; null when it stops. */
export function setTraceContextReader(reader: (() => string | null) | null): void {
  read = reader ?? (() => null);
}
