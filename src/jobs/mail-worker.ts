import type { Job } from 'bullmq';
import type { Mailer } from '../mail/mailer.js';
import type { MailRetryQueue, MailServices } from '../mail/services.js';
import { createBatcher } from '../platform/batcher.js';
import type { Bullmq, BullmqWorker } from './bullmq.js';
import {
  mailJob,
  mailQueueName,
  waitUntilDue,
  type MailJob,
  type NewJob,
  type Queues,
} from './queues.js';

const concurrency = 20;

const retriesPerRoundTrip = 1_000;

/**
 * Sends mail. Every job sends all mail that is due, so a lost, late or doubled job changes nothing, and
 * concurrent jobs share one run.
 */
export function createMailWorker(
  bullmq: Bullmq,
  mailer: Mailer,
  { clock }: Pick<MailServices, 'clock'>,
): BullmqWorker {
  const worker = bullmq.createWorker<MailJob>(
    mailQueueName,
    async (job: Job<MailJob>, token?: string) => {
      await waitUntilDue(job, token, job.data.dueAt, clock);
      await mailer.sendDue();
    },
    { concurrency },
  );
  return {
    async close() {
      const closing = worker.close();
      await mailer.stop();
      await closing;
    },
  };
}

export function createMailRetryQueue(
  queues: Queues,
  { clock, log }: Pick<MailServices, 'clock' | 'log'>,
): MailRetryQueue {
  const addJob = createBatcher(async (jobs: NewJob<MailJob>[]) => {
    await queues.mail.add(jobs);
    return jobs.map(() => undefined);
  }, retriesPerRoundTrip);
  return {
    async add(mailId, attempts, delaySeconds) {
      try {
        await addJob(mailJob(`${mailId}-${attempts}`, { now: clock.now(), delaySeconds }));
      } catch (error) {
        log.warn({ err: error }, 'a retry of a mail has no job; the sweeper sends it');
      }
    },
  };
}
