import { randomUUID } from 'node:crypto';
import pTimeout from 'p-timeout';
import { connectBullmq } from '../jobs/bullmq.js';
import { createQueues, mailJob, webhookJob, type Queues } from '../jobs/queues.js';
import { StaffError } from './failure.js';
import type { Session } from './session.js';

/** BullMQ retries without end while Redis is down. */
const timeoutMs = 3_000;

/** Runs `work` on the service's queues. Throws `StaffError` if they do not answer in time. */
export async function withQueues<Result>(
  { config, connection, log }: Session,
  work: (queues: Queues) => Promise<Result>,
): Promise<Result> {
  const bullmq = connectBullmq(config.redisUrl, connection, log);
  const workAndClose = async (): Promise<Result> => {
    const queues = createQueues(bullmq);
    const result = await work(queues);
    await queues.close();
    return result;
  };
  const store = config.redisUrl === null ? 'The database' : 'Redis (REDIS_URL)';
  const message = new StaffError('failed', `${store} does not answer about the queues.`);
  try {
    return await pTimeout(workAndClose(), { milliseconds: timeoutMs, message });
  } finally {
    await bullmq.close();
  }
}

/**
 * Enqueues jobs for due deliveries, which the sweeper would do at its next round. False if the
 * queues do not accept them.
 */
export function wakeSenders(session: Session, subscriptionIds: string[]): Promise<boolean> {
  const job = webhookJob(subscriptionIds, randomUUID());
  return wake(session, ({ webhooks }) => webhooks.retries.add([job]));
}

/** As `wakeSenders`, for due mails. */
export function wakeMailSender(session: Session): Promise<boolean> {
  return wake(session, ({ mail }) => mail.add([mailJob(randomUUID())]));
}

async function wake(session: Session, add: (queues: Queues) => Promise<void>): Promise<boolean> {
  try {
    await withQueues(session, add);
    return true;
  } catch {
    return false;
  }
}
