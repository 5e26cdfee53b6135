import type { JobQueue, NewJob, QueueBackend } from './queue-backend.js';

/** The alarm clock of one hold. */
export type ExpiryJob = { bookingId: string; expiresAt: number };

/** Something is due to webhook subscriptions, from `dueAt` (milliseconds since the epoch) on. */
export type WebhookJob = { subscriptionIds: string[]; dueAt: number };

export const expiryQueueName = 'hold-expiry';

/**
 * Lanes with workers of their own: the retries of receivers that are down must not keep the first
 * attempts of the others waiting. A receiver whose last attempt failed is served in the second lane
 * only, with its first attempts too.
 */
export const webhookQueueNames = {
  firstAttempts: 'webhook-first-attempts',
  retries: 'webhook-retries',
} as const;

export type WebhookQueue = keyof typeof webhookQueueNames;

export const webhookQueues: readonly WebhookQueue[] = ['firstAttempts', 'retries'];

/** `failing`: whether the last attempt failed. */
export function webhookQueueOf({ failing }: { failing: boolean }): WebhookQueue {
  return failing ? 'retries' : 'firstAttempts';
}

export interface Queues {
  expiry: JobQueue<ExpiryJob>;
  webhooks: Record<WebhookQueue, JobQueue<WebhookJob>>;
  close(): Promise<void>;
}

export function createQueues(backend: QueueBackend): Queues {
  const expiry = backend.createQueue<ExpiryJob>(expiryQueueName);
  const firstAttempts = backend.createQueue<WebhookJob>(webhookQueueNames.firstAttempts);
  const retries = backend.createQueue<WebhookJob>(webhookQueueNames.retries);
  return {
    expiry,
    webhooks: { firstAttempts, retries },
    async close() {
      await Promise.all([expiry.close(), firstAttempts.close(), retries.close()]);
    },
  };
}

/** A job that comes before its delivery is due finds nothing: clocks differ by a little. */
const slackMs = 50;

/**
 * Wakes whoever sends to the subscriptions: at once, or some time after `now` (milliseconds since
 * the epoch). A job with the `id` of one that waits or runs is not added.
 */
export function webhookJob(
  subscriptionIds: string[],
  id: string,
  later?: { now: number; delaySeconds: number },
): NewJob<WebhookJob> {
  const delayMs = later === undefined ? 0 : later.delaySeconds * 1000 + slackMs;
  const dueAt = later === undefined ? 0 : later.now + delayMs;
  return { name: 'deliver', id, data: { subscriptionIds, dueAt }, delayMs };
}
