import type { JobType, Processor, Queue, WorkerOptions } from 'bullmq';
import pTimeout from 'p-timeout';
import type { Connection } from '../database/pool.js';
import type { Logger } from '../platform/log.js';
import { connectBullmq } from './bullmq.js';

/** What a job carries: ids and counters, never what a row says. */
export type JobData = Record<string, string | number | string[]>;

export interface NewJob<Data extends JobData> {
  name: string;
  data: Data;
  /** A second job with the id of one that is still there is not added. No colons, no plain word. */
  id: string;
  delayMs: number;
}

export interface JobQueue<Data extends JobData> {
  /**
   * In few round trips; none for no jobs. Rejects when the store does not take them in time; it may
   * still do so later.
   */
  addBulk(jobs: NewJob<Data>[]): Promise<void>;
  close(): Promise<void>;
}

export interface JobWorker {
  /** Stops taking jobs and waits for those in progress. */
  close(): Promise<void>;
}

/** As much of queues and workers as the service needs. */
export interface QueueBackend {
  createQueue<Data extends JobData>(name: string): JobQueue<Data>;
  createWorker<Data extends JobData>(
    name: string,
    processor: Processor<Data>,
    options: Pick<WorkerOptions, 'concurrency'>,
  ): JobWorker;
  /** The jobs of every queue that was made here, by state. */
  countJobs(): Promise<{ queue: string; counts: Record<string, number> }[]>;
  close(): Promise<void>;
}

const countedStates: JobType[] = ['waiting', 'active', 'delayed', 'prioritized'];
const bulkSize = 1_000;
/** A store that is down would keep the jobs waiting for its return, and whoever adds them. */
const addTimeoutMs = 5_000;
const finishedJobs = { removeOnComplete: true, removeOnFail: true };
/** What fails does so with the database: again after 1, 2 and 4 s, and then the sweeper stands in. */
const retries = { attempts: 4, backoff: { type: 'exponential', delay: 1_000 } };

/** On Redis where there is one, else on the service's own PostgreSQL. */
export function createQueueBackend(
  redisUrl: string | null,
  connection: Connection,
  log: Logger,
): QueueBackend {
  const bullmq = connectBullmq(redisUrl, connection, log);
  const queues = new Map<string, Pick<Queue, 'getJobCounts'>>();
  return {
    createQueue<Data extends JobData>(name: string) {
      const queue = bullmq.createQueue<Data>(name);
      queues.set(name, queue);
      const add = (jobs: NewJob<Data>[]): Promise<unknown> => {
        const entries = jobs.map(entryOf);
        const [first] = entries;
        // On PostgreSQL a bulk makes temporary tables: for one job 3.0 ms instead of 0.6.
        return entries.length === 1 && first !== undefined
          ? queue.add(first.name, first.data, first.opts)
          : queue.addBulk(entries);
      };
      return {
        async addBulk(jobs: NewJob<Data>[]) {
          for (let start = 0; start < jobs.length; start += bulkSize) {
            await pTimeout(add(jobs.slice(start, start + bulkSize)), {
              milliseconds: addTimeoutMs,
              message: `queue ${name} does not accept jobs`,
            });
          }
        },
        close: () => queue.close(),
      };
    },
    createWorker(name, processor, options) {
      const worker = bullmq.createWorker(name, processor, options);
      return { close: () => worker.close() };
    },
    countJobs: () =>
      Promise.all(
        [...queues].map(async ([name, queue]) => ({
          queue: name,
          counts: await queue.getJobCounts(...countedStates),
        })),
      ),
    close: () => bullmq.close(),
  };
}

/** A job in BullMQ's words. */
function entryOf({ name, data, id, delayMs }: NewJob<JobData>) {
  const opts = { jobId: id, delay: Math.max(0, delayMs), ...finishedJobs, ...retries };
  return { name: name as never, data: data as never, opts };
}
