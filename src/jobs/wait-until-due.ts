import { DelayedError, type Job } from 'bullmq';
import type { Clock } from '../platform/clock.js';

/**
 * Delays a job that runs before `dueAt` (milliseconds since the epoch): the queue's clock may be
 * ahead of the database's, which decides. Throws then, as BullMQ expects.
 */
export async function waitUntilDue(
  job: Job,
  token: string | undefined,
  dueAt: number,
  clock: Clock,
): Promise<void> {
  const earlyMs = dueAt - clock.now();
  if (earlyMs <= 0) return;
  await job.moveToDelayed(clock.own() + earlyMs, token);
  throw new DelayedError();
}
