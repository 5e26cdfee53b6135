import { requestsPerSubscription, unprovenLimits } from '../config/limits.js';
import type { WebhookDisabledReason } from '../database/rows/webhooks.js';
import type { NewSpan } from '../platform/tracing/tracing.js';
import type { DeliveryOutcome, DueDelivery } from '../repositories/webhook-deliveries.js';
import type { SendResult } from './send-result.js';

/** The known facts about a subscription's receiver. */
export interface ReceiverHealth {
  hasSucceeded: boolean;
  /** The first failure since the last success, in milliseconds since the epoch; else null. */
  failingSince: number | null;
  /** Failed attempts since the last success. */
  failuresInARow: number;
  /** Why it gets no more requests; else null. */
  disabledReason: WebhookDisabledReason | null;
}

/**
 * The outcome of an attempt for its delivery and its receiver. `attempt` counts from 1; `now` is in
 * milliseconds since the epoch; `schedule` holds the delay after each attempt, in seconds.
 */
export function attemptOutcome(
  { outcome, statusCode, retryAfterSeconds, error }: SendResult,
  { id, attempt }: { id: string; attempt: number },
  before: ReceiverHealth,
  { schedule, now }: { schedule: readonly number[]; now: number },
): { outcome: DeliveryOutcome; health: ReceiverHealth } {
  if (outcome === 'delivered') {
    return {
      outcome: { id, status: 'delivered', statusCode, error: null, delaySeconds: null },
      health: { ...before, hasSucceeded: true, failingSince: null, failuresInARow: 0 },
    };
  }
  const { hasSucceeded } = before;
  const failingSince = before.failingSince ?? now;
  const disabledReason =
    before.disabledReason ?? disableDecision(statusCode, hasSucceeded, now - failingSince);
  const delaySeconds =
    disabledReason === null ? nextAttemptDelaySeconds(attempt, schedule, retryAfterSeconds) : null;
  const status = delaySeconds === null ? 'failed' : 'pending';
  const failuresInARow = before.failuresInARow + 1;
  return {
    outcome: { id, status, statusCode, error, delaySeconds },
    health: { hasSucceeded, failingSince, failuresInARow, disabledReason },
  };
}

/** How many requests to the receiver may be in flight. */
export function requestLimit({ hasSucceeded, failuresInARow }: ReceiverHealth): number {
  const isProven = hasSucceeded && failuresInARow < unprovenLimits.afterFailures;
  return isProven ? requestsPerSubscription : unprovenLimits.requests;
}

/** Retries of events that failed together are spread by this share of the delay, either way. */
const jitterShare = 0.1;

/**
 * Seconds from a failed attempt to the next, or null after the last. `attempt` counts the attempts made,
 * from 1; `schedule` holds the delay after each; `random` returns a number in [0, 1).
 *
 * `Retry-After` only postpones: the next attempt is never earlier than the receiver asked (and up to a
 * tenth later), and never later than the last attempt of the schedule would have been.
 * @internal
 */
export function nextAttemptDelaySeconds(
  attempt: number,
  schedule: readonly number[],
  retryAfterSeconds: number | null,
  random = Math.random,
): number | null {
  const planned = schedule[attempt - 1];
  if (planned === undefined) return null;
  const share = random();
  const jittered = planned * (1 + jitterShare * (2 * share - 1));
  if (retryAfterSeconds === null || retryAfterSeconds <= jittered) return jittered;
  const remaining = schedule.slice(attempt - 1).reduce((sum, delay) => sum + delay, 0);
  return Math.max(jittered, Math.min(retryAfterSeconds * (1 + jitterShare * share), remaining));
}

const hourMs = 3_600_000;
const firstSuccessLimitMs = 24 * hourMs;
const onlyFailuresLimitMs = 5 * 24 * hourMs;

/**
 * Whether a failed attempt disables its subscription, and why: 410 at once; 24 hours without a first
 * success; five days of nothing but failures. `failingMs` is since the first failure after the last
 * success, or the first of all: time without any attempt before does not count.
 * @internal
 */
export function disableDecision(
  statusCode: number | null,
  hasSucceeded: boolean,
  failingMs: number,
): WebhookDisabledReason | null {
  if (statusCode === 410) return 'gone';
  if (!hasSucceeded && failingMs >= firstSuccessLimitMs) return 'never_succeeded';
  if (failingMs >= onlyFailuresLimitMs) return 'failing';
  return null;
}

/** The span of an attempt, without the address: its path and query may be secret. */
export function attemptSpan(
  subscriptionId: string,
  { id, eventId, type, attempts }: DueDelivery,
): NewSpan<SendResult> {
  return {
    name: 'webhook POST',
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'webhook.subscription.id': subscriptionId,
      'webhook.delivery.id': id,
      'webhook.event.id': eventId,
      'webhook.event.type': type,
      'webhook.attempt': attempts + 1,
    },
    describe: ({ outcome, statusCode, error }) => ({
      'webhook.outcome': outcome,
      ...(statusCode !== null && { 'http.response.status_code': statusCode }),
      ...(error !== null && { 'error.type': error }),
    }),
  };
}
