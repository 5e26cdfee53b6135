import type { BaseBudgetName, BudgetName } from './budgets.js';

/** What one request costs. It is charged to exactly one budget. */
export interface Meter {
  /** What the request costs when it does nothing dearer. */
  readonly base: BaseBudgetName;
  /** The budget that the request was charged to, or that refused it; null before either. */
  readonly charge: Charge | null;
  /**
   * Makes the request cost one of this budget, and gives back what it cost before. Throws
   * `rate_limited` when the budget is used up.
   */
  chargeTo(budget: BudgetName): Promise<void>;
  /** For a failure of ours: the request costs its base, as long as that has some left. Never throws. */
  refundToBase(): Promise<void>;
  /**
   * To call before looking up what a repeated request was answered. It costs nothing, but a caller
   * whose budget is used up may not look up without end: throws `rate_limited` then.
   */
  allowLookup(budget: BudgetName): Promise<void>;
}

/** A budget as its owner sees it after a request. */
export interface Charge {
  budget: BudgetName;
  /** Requests per window. */
  quota: number;
  windowSeconds: number;
  /** How many are left in the window. */
  remaining: number;
  /** Until the window ends; a refused request succeeds after exactly so long. */
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
