import type { WebhookDisabledReason } from '../database/schema.js';

/** How far a delay is moved from the schedule, either way, so that retries do not come in herds. */
const jitterShare = 0.1;

const hourMs = 3_600_000;

/** A subscription that never worked is given up after this long. */
const firstSuccessMs = 24 * hourMs;

/** A subscription that worked once is given up after this long of nothing but failures. */
const onlyFailuresMs = 5 * 24 * hourMs;

/**
 * Seconds from a failed attempt to the next, or null when the schedule is used up (contract,
 * "Webhooks"). `attempt` counts the attempts made, from 1; `schedule` holds the delay after each;
 * `random` gives a number in [0, 1).
 *
 * A `Retry-After` only ever postpones: never earlier than the receiver asked (and up to a tenth
 * later), and at most by what the schedule still holds from here on, so that a receiver that asks
 * for a month gets its attempt when the last one would have been due.
 */
export function nextAttemptDelaySeconds({
  attempt,
  schedule,
  retryAfterSeconds,
  random,
}: {
  attempt: number;
  schedule: readonly number[];
  retryAfterSeconds: number | null;
  random: () => number;
}): number | null {
  const planned = schedule[attempt - 1];
  if (planned === undefined) return null;
  const share = random();
  const jittered = planned * (1 + jitterShare * (2 * share - 1));
  if (retryAfterSeconds === null || retryAfterSeconds <= jittered) return jittered;
  const remaining = schedule.slice(attempt - 1).reduce((sum, delay) => sum + delay, 0);
  return Math.max(jittered, Math.min(retryAfterSeconds * (1 + jitterShare * share), remaining));
}

/**
 * Whether a failed attempt disables its subscription, and why (contract, "Webhooks"): 410 at once;
 * 24 hours without a first success; five days of nothing but failures. `failingSince` is the first
 * failure since the last success, or the first of all, in milliseconds since the epoch: time without
 * any attempt before it does not count against a subscription.
 */
export function disableDecision({
  statusCode,
  hasEverSucceeded,
  failingSince,
  now,
}: {
  statusCode: number | null;
  hasEverSucceeded: boolean;
  failingSince: number;
  now: number;
}): WebhookDisabledReason | null {
  if (statusCode === 410) return 'gone';
  const failingMs = now - failingSince;
  if (!hasEverSucceeded && failingMs >= firstSuccessMs) return 'never_succeeded';
  if (failingMs >= onlyFailuresMs) return 'failing';
  return null;
}
