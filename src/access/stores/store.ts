import type { FastifyRateLimitStore } from '@fastify/rate-limit';

/** The use of a budget. */
export interface Usage {
  /** Accepted requests in the window, including this one; above the maximum if it is refused. */
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
  /** The use, without counting a request. */
  read(key: string, callback: UsageCallback, windowMs: number, maximum: number): void;
  /** Refunds one request of the current window. Never rejects. */
  refund(key: string, windowMs: number): Promise<void>;
  close(): Promise<void>;
}
