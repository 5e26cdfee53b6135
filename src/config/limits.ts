/** Limits that no setting changes. `GET /capabilities` lists them. */

/** The most days from `from` to `to`. */
export const availabilityRangeDays = 31;

/** Page requests, form posts included, per client address. */
export const pagesPerMinute = 300;

export const maxBodyBytes = 64 * 1024;

export const maxIdempotencyKeyLength = 255;

/** The longest wait of a request or a tool call: proxies and hosts of models give up after a minute. */
export const maxWaitSeconds = 50;

/** Concurrent waits of one caller, and of one network. */
export const maxWaitsPerCaller = 20;

/** The shortest time from the announcement of a deprecation to its sunset. */
export const deprecationNoticeDays = 180;

/** The most live webhook subscriptions; disabled ones do not count. */
export const webhookCaps = {
  perNetwork: 10,
  perDomain: 200,
  total: 1_000,
  /** The number of live subscriptions from which on a network or a domain that has one gets no other. */
  scarceFrom: 500,
  /** The number from which on the log and `doctor` warn. */
  warnFrom: 800,
} as const;

/** Concurrent requests to one subscription, over all processes. */
export const requestsPerSubscription = 2;

/**
 * Limits of a subscription until its first success, and again after as many failures in a row: requests
 * at once, and pending deliveries.
 */
export const unprovenLimits = { afterFailures: 10, requests: 1, waiting: 20 } as const;

/** The most API keys of one network that were made or used within `days`. */
export const keyCap = { perNetwork: 20, days: 30 } as const;

/** The lifetime of a code. */
export const codeLifetimeSeconds = 600;

/**
 * Codes that can be asked for. A network's first code for a booking in a day goes out beyond `bookingDay`
 * and `mailboxHour`, `mailboxBeyondDay` times.
 */
export const codeLimits = {
  bookingOfNetworkHour: 3,
  bookingDay: 10,
  mailboxOfNetworkHour: 3,
  mailboxHour: 10,
  mailboxBeyondDay: 20,
  networkHour: 10,
  networkDay: 30,
} as const;

/** How often a code may be typed wrongly. */
export const codeTries = 3;

/** The time for which a right code lets its browser confirm, move and cancel. */
export const codeOpensSeconds = 900;

/** The limits of a platform as a whole, unless the studio sets others. */
export const platformDefaults = {
  readsPerMinute: 6_000,
  holdsPerHour: 300,
  liveBookings: 100,
  pendingHoldsPercent: 50,
} as const;

/** The most pending holds of a platform, at least one: its share of the studio's. */
export function pendingHoldsOfPlatform(
  { maxPendingHolds }: { maxPendingHolds: number },
  percent: number,
): number {
  return Math.max(1, Math.floor((maxPendingHolds * percent) / 100));
}

/** The longest text by which a platform may name its person, in UTF-16 code units. */
export const maxSubjectLength = 256;

/** Mails to the mailbox of a person within 24 hours. */
export const mailsPerDay = 20;

/** The days for which ended deliveries, disabled subscriptions, ended mails and made codes are kept. */
export const retentionDays = { webhooks: 30, mails: 30, codes: 1 } as const;
