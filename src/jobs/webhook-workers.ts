import { randomUUID } from 'node:crypto';
import type { Job } from 'bullmq';
import { createBatcher } from '../platform/batcher.js';
import type { PlatformServices } from '../platform/services.js';
import { webhookCaps } from '../platform/fixed-limits.js';
import type { JobWorker, NewJob, QueueBackend } from './queue-backend.js';
import {
  webhookJob,
  webhookQueues,
  webhookQueueNames,
  type Queues,
  type WebhookJob,
  type WebhookQueue,
} from './queues.js';
import type { Deliverer, Retry } from '../webhooks/deliver.js';
import { waitUntilDue } from './until-due.js';

/** As many as there are live subscriptions, so that none waits for the job of a slow one. */
const concurrency = webhookCaps.total;

const retriesPerRoundTrip = 1_000;

/**
 * Serves the subscriptions whose jobs ring. A job only says where to look: lost, late or doubled, it
 * changes nothing. A subscription with more to send queues again behind the others; one that fails
 * leaves the lane of first attempts to the rest.
 */
export function createWebhookWorkers(
  backend: QueueBackend,
  queues: Queues,
  deliverer: Deliverer,
  { clock }: Pick<PlatformServices, 'clock'>,
): JobWorker[] {
  async function serve(queue: WebhookQueue, subscriptionId: string): Promise<void> {
    const whileFailing = queue === 'retries';
    const remainder = await deliverer.deliver(subscriptionId, { whileFailing });
    if (remainder === 'nothing') return;
    const next = remainder === 'more, but failing' ? 'retries' : queue;
    await queues.webhooks[next].addBulk([webhookJob([subscriptionId], randomUUID())]);
  }

  const serveAll =
    (queue: WebhookQueue) =>
    async (job: Job<WebhookJob>, token?: string): Promise<void> => {
      const { subscriptionIds, dueAt } = job.data;
      await waitUntilDue(job, token, dueAt, clock);
      const served = await Promise.allSettled(subscriptionIds.map((id) => serve(queue, id)));
      const failure = served.find((result) => result.status === 'rejected');
      if (failure !== undefined) throw failure.reason as Error;
    };
  return webhookQueues.map((queue) =>
    backend.createWorker<WebhookJob>(webhookQueueNames[queue], serveAll(queue), { concurrency }),
  );
}

/** Sets the alarm clock of a retry. Never rejects: where it fails, the sweeper stands in. */
export function createRetryClock(
  queues: Queues,
  { clock, log }: Pick<PlatformServices, 'clock' | 'log'>,
): (retry: Retry) => Promise<void> {
  const add = createBatcher(async (jobs: NewJob<WebhookJob>[]) => {
    await queues.webhooks.retries.addBulk(jobs);
    return jobs.map(() => undefined);
  }, retriesPerRoundTrip);
  return async ({ subscriptionId, deliveryId, attempts, delaySeconds }) => {
    const later = { now: clock.now(), delaySeconds };
    try {
      await add(webhookJob([subscriptionId], `${deliveryId}-${attempts}`, later));
    } catch (error) {
      log.warn({ err: error }, 'a webhook retry has no job; the sweeper stands in');
    }
  };
}
