import { randomUUID } from 'node:crypto';
import type { Job } from 'bullmq';
import { webhookCaps } from '../config/limits.js';
import type { DatabaseServices } from '../database/services.js';
import { expireHolds } from '../domain/booking/new-hold.js';
import { fetchDueCalendars, type FetchServices } from '../domain/studio/calendar-fetches.js';
import type { Mailer } from '../mail/mailer.js';
import type { MailRetryQueue, MailServices } from '../mail/services.js';
import { createBatcher, singleFlight } from '../platform/concurrency.js';
import type { PlatformServices } from '../platform/services.js';
import { createDeliverer } from '../webhooks/deliver.js';
import type { DelivererServices } from '../webhooks/services.js';
import type { Bullmq, BullmqWorker } from './bullmq.js';
import { createErrorLog } from './error-log.js';
import {
  type CalendarJob,
  calendarQueueName,
  type ExpiryJob,
  expiryQueueName,
  mailJob,
  type MailJob,
  mailQueueName,
  type NewJob,
  type Queues,
  waitUntilDue,
  webhookJob,
  type WebhookJob,
  type WebhookQueue,
  webhookQueueNames,
  webhookQueues,
} from './queues.js';

/** The concurrent jobs, which wait for a shared run: more than arrive within the time of one mail. */
const mailConcurrency = 200;

/**
 * Sends mail. Every job sends all due mail, so a lost, late or doubled job changes nothing, and
 * concurrent jobs share one run.
 */
export function createMailWorker(
  bullmq: Bullmq,
  mailer: Mailer,
  { clock }: Pick<MailServices, 'clock'>,
): BullmqWorker {
  const worker = bullmq.createWorker<MailJob>(
    mailQueueName,
    async (job, token) => {
      await waitUntilDue(job, token, job.data.dueAt, clock);
      await mailer.sendDue();
    },
    { concurrency: mailConcurrency },
  );
  return stoppedBy(worker, () => mailer.stop());
}

export function createMailRetryQueue(
  queues: Queues,
  { clock, log }: Pick<MailServices, 'clock' | 'log'>,
): MailRetryQueue {
  const report = createErrorLog(log).report('a retry of a mail has no job; the sweeper sends it');
  return {
    add(mailId, attempts, delaySeconds) {
      const later = { now: clock.now(), delaySeconds };
      return queues.mail.add([mailJob(`${mailId}-${attempts}`, later)]).catch(report);
    },
  };
}

const expiryConcurrency = 20;

/**
 * Expires holds. Every job expires all due holds, so a lost, late or doubled job changes nothing, and a
 * thousand jobs in one second share a few statements.
 */
export function createExpiryWorker(
  bullmq: Bullmq,
  services: Pick<DatabaseServices, 'database' | 'clock' | 'metrics'>,
): BullmqWorker {
  const expireAllDue = singleFlight(() => expireHolds(services));
  return bullmq.createWorker<ExpiryJob>(
    expiryQueueName,
    async (job, token) => {
      await waitUntilDue(job, token, job.data.expiresAt, services.clock);
      await expireAllDue();
    },
    { concurrency: expiryConcurrency },
  );
}

const intervalMs = 600_000;

/**
 * Fetches watched calendars. Every job fetches all due ones, each claimed by one process, so a lost, late
 * or doubled job changes nothing.
 */
export function createCalendarWorker(bullmq: Bullmq, services: FetchServices): BullmqWorker {
  const worker = bullmq.createWorker<CalendarJob>(
    calendarQueueName,
    () => fetchDueCalendars(services),
    {},
  );
  // Unfinished reads stay due.
  return stoppedBy(worker, () => services.calendarReader.close());
}

/** Adds a job every ten minutes. Without the schedule, the sweeper adds one where a calendar is overdue. */
export async function scheduleCalendarFetches(queues: Queues): Promise<void> {
  await queues.calendars.addEvery(intervalMs, { name: 'fetch', data: {} });
}

/** One job per live subscription: more work waits for a place of the deliverer. */
const concurrency = webhookCaps.total;

const retriesPerRoundTrip = 1_000;

/**
 * Workers that send webhooks. A job only names subscriptions that may be due: lost, late or doubled, it
 * changes nothing. A subscription with more to send gets a new job, behind those of the others; after a
 * failed attempt, in the retries queue.
 */
export function createWebhookWorkers(
  bullmq: Bullmq,
  queues: Queues,
  services: Omit<DelivererServices, 'addRetry' | 'shutdown'>,
): BullmqWorker {
  const shutdown = new AbortController();
  const deliver = createDeliverer({
    ...services,
    addRetry: createWebhookRetries(queues, services),
    shutdown: shutdown.signal,
  });

  async function serve(queue: WebhookQueue, subscriptionId: string): Promise<void> {
    const remainder = await deliver(subscriptionId, queue === 'retries');
    if (remainder === 'nothing') return;
    const next = remainder === 'more, but failing' ? 'retries' : queue;
    await queues.webhooks[next].add([webhookJob([subscriptionId], randomUUID())]);
  }

  const processJob =
    (queue: WebhookQueue) =>
    async (job: Job<WebhookJob>, token?: string): Promise<void> => {
      const { subscriptionIds, dueAt } = job.data;
      await waitUntilDue(job, token, dueAt, services.clock);
      const served = await Promise.allSettled(subscriptionIds.map((id) => serve(queue, id)));
      const failure = served.find((result) => result.status === 'rejected');
      if (failure !== undefined) throw failure.reason as Error;
    };
  const workers = webhookQueues.map((queue) =>
    bullmq.createWorker<WebhookJob>(webhookQueueNames[queue], processJob(queue), { concurrency }),
  );
  return {
    async close() {
      const closing = workers.map((worker) => worker.close());
      // Unfinished deliveries stay due, and their attempts do not count.
      shutdown.abort();
      await Promise.all(closing);
    },
  };
}

function createWebhookRetries(
  queues: Queues,
  { clock, log }: Pick<PlatformServices, 'clock' | 'log'>,
): DelivererServices['addRetry'] {
  const addJob = createBatcher(async (jobs: NewJob<WebhookJob>[]) => {
    await queues.webhooks.retries.add(jobs);
    return jobs.map(() => undefined);
  }, retriesPerRoundTrip);
  const report = createErrorLog(log).report('a webhook retry has no job; the sweeper sends it');
  return ({ subscriptionId, deliveryId, attempts, delaySeconds }) => {
    const later = { now: clock.now(), delaySeconds };
    return addJob(webhookJob([subscriptionId], `${deliveryId}-${attempts}`, later)).catch(report);
  };
}

/** The worker, which is closed after `stop` has ended its jobs. */
function stoppedBy(worker: BullmqWorker, stop: () => Promise<void>): BullmqWorker {
  return {
    async close() {
      const closing = worker.close();
      await stop();
      await closing;
    },
  };
}
