export interface Usage {
  /** Accepted requests in the window; from `incr` with this one, or `maximum + 1` if refused. */
  current: number;
  /** Milliseconds until the window ends. */
  ttl: number;
}

export type UsageCallback = (error: Error | null, usage?: Usage) => void;

/**
 * The interface in which @fastify/rate-limit counts, with `refund`. A window starts with its first
 * request. Refused requests are not counted.
 */
export interface LimitStore {
  incr: (key: string, callback: UsageCallback, windowMs: number, maximum: number) => void;
  /** Reads the window without counting a request. */
  read: (key: string, callback: UsageCallback, windowMs: number, maximum: number) => void;
  /** Refunds one request of the current window. Never rejects. */
  refund(key: string, windowMs: number): Promise<void>;
  /** Begins to connect, so that the first request need not. */
  connect(): void;
  close(): Promise<void>;
}
