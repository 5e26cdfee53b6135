import type { BaseBudgetName, BudgetName, PlatformBudgetName } from './budgets.js';

/** Charges one request to exactly one budget, and the same budget of its platform, if it has one. */
export interface Meter {
  readonly base: BaseBudgetName;
  /** The budget that was charged or that refused the request; null before. */
  readonly charge: Charge | null;
  /**
   * Charges this budget and, at a platform, the platform's, and refunds the charge before. Throws
   * `rate_limited`: then neither is charged.
   */
  chargeTo(budget: BudgetName): Promise<void>;
  /** Charges the base budget instead after a server error, if it is not used up. Never throws. */
  refundToBase(): Promise<void>;
  /**
   * Call it before looking up an Idempotency-Key. Free while the budget has some left; then throws
   * `rate_limited` beyond a number of lookups.
   */
  allowLookup(budget: BudgetName): Promise<void>;
  /** Before a refusal: names the caller's own budget in the headers, not the platform's. */
  hidePlatform(): void;
}

/** The state of a budget after a request. */
export interface Charge {
  budget: BudgetName;
  /** Its name in the headers. */
  policy: BudgetName | PlatformBudgetName;
  quota: number;
  windowSeconds: number;
  /** Requests left in the window. */
  remaining: number;
  /** Seconds until the window ends. */
  resetSeconds: number;
}

/** Charges nothing. @internal for tests and fixtures. */
export const unmetered: Meter = {
  base: 'reads',
  charge: null,
  chargeTo: () => Promise.resolve(),
  refundToBase: () => Promise.resolve(),
  allowLookup: () => Promise.resolve(),
  hidePlatform: () => undefined,
};

/**
 * The fields of the IETF draft "RateLimit header fields for HTTP" (draft-ietf-httpapi-ratelimit-headers),
 * such as `"reads";q=60;w=60` and `"reads";r=59;t=42`. The draft allows several policies in one field,
 * `openapi.yaml` one.
 */
export function limitHeaders(charge: Charge): { 'ratelimit-policy': string; ratelimit: string } {
  const { policy, quota, windowSeconds, remaining, resetSeconds } = charge;
  return {
    'ratelimit-policy': `"${policy}";q=${quota};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
  };
}
