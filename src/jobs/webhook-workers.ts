import { randomUUID } from 'node:crypto';
import type { Job } from 'bullmq';
import { createBatcher } from '../platform/batcher.js';
import { webhookCaps } from '../config/limits.js';
import type { PlatformServices } from '../platform/services.js';
import { createDeliverer } from '../webhooks/deliver.js';
import type { DelivererServices, RetryQueue } from '../webhooks/services.js';
import type { Bullmq, BullmqWorker } from './bullmq.js';
import { createErrorLog } from './error-log.js';
import {
  waitUntilDue,
  webhookJob,
  webhookQueues,
  webhookQueueNames,
  type NewJob,
  type Queues,
  type WebhookJob,
  type WebhookQueue,
} from './queues.js';

/** One per live subscription: what waits, waits for a place of the deliverer. */
const concurrency = webhookCaps.total;

const retriesPerRoundTrip = 1_000;

/**
 * Workers that send webhooks. A job only says to which subscriptions something may be due: lost,
 * late or doubled, it changes nothing. A subscription with more to send gets a new job, behind those
 * of the others; one whose last attempt failed gets it in the retries queue.
 */
export function createWebhookWorkers(
  bullmq: Bullmq,
  queues: Queues,
  services: Omit<DelivererServices, 'retryQueue' | 'shutdown'>,
): BullmqWorker {
  const shutdown = new AbortController();
  const deliverer = createDeliverer({
    ...services,
    retryQueue: createRetryQueue(queues, services),
    shutdown: shutdown.signal,
  });

  async function deliver(queue: WebhookQueue, subscriptionId: string): Promise<void> {
    const whileFailing = queue === 'retries';
    const remainder = await deliverer.deliver(subscriptionId, { whileFailing });
    if (remainder === 'nothing') return;
    const next = remainder === 'more, but failing' ? 'retries' : queue;
    await queues.webhooks[next].add([webhookJob([subscriptionId], randomUUID())]);
  }

  const processJob =
    (queue: WebhookQueue) =>
    async (job: Job<WebhookJob>, token?: string): Promise<void> => {
      const { subscriptionIds, dueAt } = job.data;
      await waitUntilDue(job, token, dueAt, services.clock);
      const served = await Promise.allSettled(subscriptionIds.map((id) => deliver(queue, id)));
      const failure = served.find((result) => result.status === 'rejected');
      if (failure !== undefined) throw failure.reason as Error;
    };
  const workers = webhookQueues.map((queue) =>
    bullmq.createWorker<WebhookJob>(webhookQueueNames[queue], processJob(queue), { concurrency }),
  );
  return {
    async close() {
      const closing = workers.map((worker) => worker.close());
      // What is being sent stays due, and the attempt does not count.
      shutdown.abort();
      await Promise.all(closing);
    },
  };
}

function createRetryQueue(
  queues: Queues,
  { clock, log }: Pick<PlatformServices, 'clock' | 'log'>,
): RetryQueue {
  const addJob = createBatcher(async (jobs: NewJob<WebhookJob>[]) => {
    await queues.webhooks.retries.add(jobs);
    return jobs.map(() => undefined);
  }, retriesPerRoundTrip);
  const reportFailure = createErrorLog(log).report(
    'a webhook retry has no job; the sweeper sends it',
  );
  return {
    async add({ subscriptionId, deliveryId, attempts, delaySeconds }) {
      const later = { now: clock.now(), delaySeconds };
      try {
        await addJob(webhookJob([subscriptionId], `${deliveryId}-${attempts}`, later));
      } catch (error) {
        reportFailure(error as Error);
      }
    },
  };
}
