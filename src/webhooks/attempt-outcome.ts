import type { WebhookDisabledReason } from '../database/schema.js';
import type { DeliveryOutcome } from '../repositories/webhook-deliveries.js';
import { disableDecision, nextAttemptDelaySeconds } from './schedule.js';
import type { SendResult } from './send-result.js';

/** What is known of a receiver. */
export interface ReceiverHealth {
  hasSucceeded: boolean;
  /** The first failure since the last success, in milliseconds since the epoch; null after one. */
  failingSince: number | null;
  /** Set when nothing may be sent to it any more. */
  disabledReason: WebhookDisabledReason | null;
}

/**
 * What an attempt means for its delivery and for what is known of the receiver. `attempt` counts
 * from 1; `now` is in milliseconds since the epoch; `schedule` holds the delay after each attempt.
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
      health: { ...before, hasSucceeded: true, failingSince: null },
    };
  }
  const failingSince = before.failingSince ?? now;
  const { hasSucceeded } = before;
  const disabledReason =
    before.disabledReason ??
    disableDecision({ statusCode, hasEverSucceeded: hasSucceeded, failingSince, now });
  const delaySeconds =
    disabledReason === null
      ? nextAttemptDelaySeconds({ attempt, schedule, retryAfterSeconds, random: Math.random })
      : null;
  return {
    outcome: {
      id,
      status: delaySeconds === null ? 'failed' : 'pending',
      statusCode,
      error,
      delaySeconds,
    },
    health: { hasSucceeded, failingSince, disabledReason },
  };
}
