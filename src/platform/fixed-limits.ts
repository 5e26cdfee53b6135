/**
 * Figures that the contract fixes, and no setting changes. They are enforced from here, and
 * `GET /capabilities` lists them from here.
 */

/** `to` is at most so many calendar days after `from` (specification, "Limits", 3). */
export const availabilityRangeDays = 31;

/** Pages and their posts, per client address. */
export const pagesPerMinute = 300;

export const maxBodyBytes = 64 * 1024;

export const maxIdempotencyKeyLength = 255;

/** The longest `Prefer: wait=N`. */
export const maxWaitSeconds = 60;

/** Such waits of one caller at once. */
export const maxWaitsPerCaller = 20;

/** How long an operation that is to end goes on working after that was announced. */
export const deprecationNoticeDays = 180;

/** The most live webhook subscriptions (contract, "Webhooks"); disabled ones do not count. */
export const webhookCaps = { perAddress: 10, perHost: 200, total: 1_000 } as const;

/** Requests at once to one subscription, in all processes together. */
export const requestsPerSubscription = 2;
