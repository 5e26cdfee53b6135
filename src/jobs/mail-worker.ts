import type { Job } from 'bullmq';
import type { Mailer } from '../mail/mailer.js';
import type { MailRetryQueue, MailServices } from '../mail/services.js';
import type { Bullmq, BullmqWorker } from './bullmq.js';
import { createErrorLog } from './error-log.js';
import { mailJob, mailQueueName, waitUntilDue, type MailJob, type Queues } from './queues.js';

/** Jobs wait for a shared run: more than there are within the time that one mail can take. */
const concurrency = 200;

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
  const reportFailure = createErrorLog(log).report(
    'a retry of a mail has no job; the sweeper sends it',
  );
  return {
    async add(mailId, attempts, delaySeconds) {
      try {
        const later = { now: clock.now(), delaySeconds };
        await queues.mail.add([mailJob(`${mailId}-${attempts}`, later)]);
      } catch (error) {
        reportFailure(error as Error);
      }
    },
  };
}
