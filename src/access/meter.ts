import type { BaseBudgetName, BudgetName } from './budgets.js';

/** Charges one request to exactly one budget. */
export interface Meter {
  /** The budget that the request costs by default. */
  readonly base: BaseBudgetName;
  /** The budget that was charged or that refused the request; null before. */
  readonly charge: Charge | null;
  /** Charges this budget and refunds the one charged before. Throws `rate_limited`. */
  chargeTo(budget: BudgetName): Promise<void>;
  /** After a server error: charges the base budget instead, if it is not used up. Never throws. */
  refundToBase(): Promise<void>;
  /**
   * To call before looking up an Idempotency-Key. Free while the budget has some left; after that,
   * throws `rate_limited` beyond a number of lookups.
   */
  allowLookup(budget: BudgetName): Promise<void>;
}

/** The state of a budget after a request. */
export interface Charge {
  budget: BudgetName;
  /** Requests per window. */
  quota: number;
  windowSeconds: number;
  /** Requests left in the window. */
  remaining: number;
  /** Until the window ends. */
  resetSeconds: number;
}

/** Charges nothing. @internal for tests and fixtures. */
export const unmetered: Meter = {
  base: 'reads',
  charge: null,
  chargeTo: () => Promise.resolve(),
  refundToBase: () => Promise.resolve(),
  allowLookup: () => Promise.resolve(),
};

/**
 * The fields of the IETF draft "RateLimit header fields for HTTP" (draft-ietf-httpapi-ratelimit-
 * headers), such as `"reads";q=60;w=60` and `"reads";r=59;t=42`.
 */
export function limitHeaders(charge: Charge): { 'ratelimit-policy': string; ratelimit: string } {
  const { budget, quota, windowSeconds, remaining, resetSeconds } = charge;
  return {
    'ratelimit-policy': `"${budget}";q=${quota};w=${windowSeconds}`,
    ratelimit: `"${budget}";r=${remaining};t=${resetSeconds}`,
  };
}
