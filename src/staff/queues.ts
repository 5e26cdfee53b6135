import { randomUUID } from 'node:crypto';
import { createQueueBackend, type QueueBackend } from '../jobs/queue-backend.js';
import { createQueues, webhookJob, type Queues } from '../jobs/queues.js';
import { StaffError } from './failure.js';
import type { Session } from './session.js';

/** A Redis that is down would keep a command waiting for its return. */
const patienceMs = 3_000;

/** Works on the service's queues. Throws where they do not answer. */
export async function withQueues<Result>(
  { config, connection, log }: Session,
  work: (queues: Queues, backend: QueueBackend) => Promise<Result>,
): Promise<Result> {
  const backend = createQueueBackend(config.redisUrl, connection, log);
  const workAndClose = async (): Promise<Result> => {
    const queues = createQueues(backend);
    const result = await work(queues, backend);
    await queues.close();
    return result;
  };
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_resolve, reject) => {
    const store = config.redisUrl === null ? 'The database' : 'Redis (REDIS_URL)';
    timer = setTimeout(() => {
      reject(new StaffError('failed', `${store} does not answer about the queues.`));
    }, patienceMs);
  });
  try {
    const working = workAndClose();
    // Once nobody waits for it, its end is the connection's.
    working.catch(() => undefined);
    return await Promise.race([working, patience]);
  } finally {
    clearTimeout(timer);
    await backend.close();
  }
}

/**
 * Has what is due sent now rather than by the sweeper's next round. False where the queues do not
 * take it.
 */
export async function wakeSenders(session: Session, subscriptionIds: string[]): Promise<boolean> {
  const job = webhookJob(subscriptionIds, randomUUID());
  try {
    await withQueues(session, ({ webhooks }) => webhooks.retries.addBulk([job]));
    return true;
  } catch {
    return false;
  }
}
