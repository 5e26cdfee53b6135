/**
 * Figures that the contract fixes, and no setting changes. They are enforced from here, and
 * `GET /capabilities` lists them from here.
 */

/** `to` is at most so many calendar days after `from` (specification, "Limits", 3). */
export const availabilityRangeDays = 31;

export const maxBodyBytes = 64 * 1024;

export const maxIdempotencyKeyLength = 255;

/** The longest `Prefer: wait=N`. */
export const maxWaitSeconds = 60;

/** Such waits of one caller at once. */
export const maxWaitsPerCaller = 20;

/** How long an operation that is to end goes on working after that was announced. */
export const deprecationNoticeDays = 180;
