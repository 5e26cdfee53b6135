import pTimeout from 'p-timeout';
import { connectBullmq } from '../jobs/bullmq.js';
import { createQueues, type Queues } from '../jobs/queues.js';
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
