import type { Job } from 'bullmq';
import type { DatabaseServices } from '../database/services.js';
import { expireHolds } from '../domain/expiry.js';
import { singleFlight } from '../platform/single-flight.js';
import type { Bullmq, BullmqWorker } from './bullmq.js';
import { expiryQueueName, waitUntilDue, type ExpiryJob } from './queues.js';

const concurrency = 20;

/**
 * Expires holds. Every job expires all that are due, so a lost, late or doubled job changes nothing,
 * and a thousand jobs in one second share a few statements.
 */
export function createExpiryWorker(
  bullmq: Bullmq,
  services: Pick<DatabaseServices, 'database' | 'clock' | 'metrics'>,
): BullmqWorker {
  const expireAllDue = singleFlight(() => expireHolds(services));
  return bullmq.createWorker<ExpiryJob>(
    expiryQueueName,
    async (job: Job<ExpiryJob>, token?: string) => {
      await waitUntilDue(job, token, job.data.expiresAt, services.clock);
      await expireAllDue();
    },
    { concurrency },
  );
}
