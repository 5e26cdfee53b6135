import type { FastifyRateLimitStore } from '@fastify/rate-limit';

export interface Usage {
  /** Accepted requests in the window. From `incr`: with this one, or `maximum + 1` if refused. */
  current: number;
  /** Milliseconds until the window ends. */
  ttl: number;
}

export type UsageCallback = (error: Error | null, usage?: Usage) => void;

/**
 * The store of @fastify/rate-limit with `read` and `refund`. A window starts with its first request.
 * Refused requests are not counted.
 */
export interface LimitStore extends FastifyRateLimitStore {
  incr(key: string, callback: UsageCallback, windowMs: number, maximum: number): void;
  /** Reads the window without counting a request. */
  read(key: string, callback: UsageCallback, windowMs: number, maximum: number): void;
  /** Refunds one request of the current window. Never rejects. */
  refund(key: string, windowMs: number): Promise<void>;
  /** Begins to connect, so that the first request need not. Without it, that request does. */
  connect(): void;
  close(): Promise<void>;
}
