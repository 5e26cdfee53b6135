import type { FastifyRateLimitStore } from '@fastify/rate-limit';

/** How much of a budget is used. */
export interface Usage {
  /** Accepted requests of the present window, with this one; more than the maximum: refused. */
  current: number;
  /** Milliseconds until the window ends. */
  ttl: number;
}

export type UsageCallback = (error: Error | null, usage?: Usage) => void;

/**
 * Where budgets are counted: the store of @fastify/rate-limit, with what it lacks. A window starts
 * with its first request. A request beyond `maximum` is not counted.
 */
export interface LimitStore extends FastifyRateLimitStore {
  incr(key: string, callback: UsageCallback, windowMs: number, maximum: number): void;
  /** What is used, counting nothing. */
  read(key: string, callback: UsageCallback, windowMs: number, maximum: number): void;
  /** Gives one request of the present window back. Never rejects. */
  refund(key: string, windowMs: number): Promise<void>;
  close(): Promise<void>;
}
