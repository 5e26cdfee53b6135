import type { Job } from 'bullmq';
import type { DatabaseServices } from '../database/services.js';
import { expireHolds } from '../domain/expiry.js';
import type { Bullmq, BullmqWorker } from './bullmq.js';
import { expiryQueueName, type ExpiryJob } from './queues.js';
import { singleFlight } from '../platform/single-flight.js';
import { waitUntilDue } from './until-due.js';

const concurrency = 20;

/**
 * The alarm clocks ring here. Whatever the job, everything that is due expires, so that a lost,
 * late or doubled job changes nothing; a thousand jobs in one second share a few statements.
 */
export function createExpiryWorker(
  bullmq: Bullmq,
  context: Pick<DatabaseServices, 'database' | 'clock' | 'metrics'>,
): BullmqWorker {
  const expireAllDue = singleFlight(() => expireHolds(context));
  return bullmq.createWorker<ExpiryJob>(
    expiryQueueName,
    async (job: Job<ExpiryJob>, token?: string) => {
      await waitUntilDue(job, token, job.data.expiresAt, context.clock);
      await expireAllDue();
    },
    { concurrency },
  );
}
