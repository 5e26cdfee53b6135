import {
  createPostgresBackend,
  createRedisBackend,
  withBackend,
  type BackendFactory,
  type IQueueBackend,
  type JobType,
  type PostgresConnectionOptions,
  type Processor,
  type Queue,
  type WorkerOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { forgetfulCommits, guardConnections, type Connection } from '../database/pool.js';
import type { Logger } from '../log.js';

/** What a job carries: ids and counters, never what a row says. */
export type JobData = Record<string, string | number | string[]>;

export interface NewJob<Data extends JobData> {
  name: string;
  data: Data;
  /** A second job with the id of one that is still there is not added. No colons. */
  id: string;
  delayMs: number;
}

export interface JobQueue<Data extends JobData> {
  /** In few round trips; none for no jobs. */
  addBulk(jobs: NewJob<Data>[]): Promise<void>;
  close(): Promise<void>;
}

export interface JobWorker {
  /** Stops taking jobs and waits for those in progress. */
  close(): Promise<void>;
}

/** BullMQ on PostgreSQL, or on Redis: the same queues and workers on either. */
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

const poolSize = 12;
const connectTimeoutMs = 5_000;
const statementTimeoutMs = 15_000;
const silenceTimeoutMs = 20_000;
const countedStates: JobType[] = ['waiting', 'active', 'delayed', 'prioritized'];
const bulkSize = 1_000;
const finishedJobs = { removeOnComplete: true, removeOnFail: true };

/** On Redis where there is one, else on the service's own PostgreSQL. */
export function createQueueBackend(
  redisUrl: string | null,
  connection: Connection,
  log: Logger,
): QueueBackend {
  return redisUrl === null
    ? createPostgresQueueBackend(connection, log)
    : createRedisQueueBackend(redisUrl, log);
}

/** On the service's own PostgreSQL, in the schema `bullmq`, through one pool for all queues. */
function createPostgresQueueBackend(connection: Connection, log: Logger): QueueBackend {
  const pool = new pg.Pool({
    ...connection,
    max: poolSize,
    // A job that is lost is made again by the sweeper.
    options: `-c search_path=bullmq ${forgetfulCommits}`,
    application_name: 'tattoo-studio-booking queues',
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    keepAlive: true,
  });
  guardConnections(pool, silenceTimeoutMs);
  const reporter = createReporter(log);
  pool.on('error', reporter.report('an idle queue connection was lost'));
  // A pool is what BullMQ asks for; its type wants an index signature that `pg.Pool` has not.
  const client = pool as unknown as PostgresConnectionOptions;
  return bindBackend(createPostgresBackend, client, reporter, () => pool.end());
}

/** On Redis, which must run with `maxmemory-policy noeviction`. */
function createRedisQueueBackend(redisUrl: string, log: Logger): QueueBackend {
  // Workers block on this connection; a request must not be given up while Redis restarts.
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const reporter = createReporter(log);
  redis.on('error', reporter.report('the connection to Redis failed'));
  return bindBackend(createRedisBackend, redis, reporter, async () => {
    await redis.quit().catch(() => redis.disconnect());
  });
}

/** Lost connections are news while the queues work, and expected once they are closed. */
interface Reporter {
  report(sentence: string, queue?: string): (error: Error) => void;
  leave(): void;
}

function createReporter(log: Logger): Reporter {
  let leaving = false;
  return {
    report: (sentence, queue) => (error) =>
      log[leaving ? 'debug' : 'warn']({ err: error, queue }, sentence),
    leave() {
      leaving = true;
    },
  };
}

function bindBackend<Backend extends IQueueBackend, Client>(
  factory: BackendFactory<Backend, Client>,
  connection: Client,
  reporter: Reporter,
  disconnect: () => Promise<void>,
): QueueBackend {
  const classes = withBackend(factory);
  const queues = new Map<string, Pick<Queue, 'getJobCounts'>>();
  return {
    createQueue<Data extends JobData>(name: string) {
      const queue = new classes.Queue<Data>(name, { connection });
      queue.on('error', reporter.report('a queue failed', name));
      queues.set(name, queue);
      return {
        async addBulk(jobs: NewJob<Data>[]) {
          for (let start = 0; start < jobs.length; start += bulkSize) {
            await queue.addBulk(
              jobs.slice(start, start + bulkSize).map((job) => ({
                name: job.name as never,
                data: job.data as never,
                opts: { jobId: job.id, delay: Math.max(0, job.delayMs), ...finishedJobs },
              })),
            );
          }
        },
        close: () => queue.close(),
      };
    },
    createWorker<Data extends JobData>(
      name: string,
      processor: Processor<Data>,
      options: Pick<WorkerOptions, 'concurrency'>,
    ) {
      const worker = new classes.Worker<Data>(name, processor, { connection, ...options });
      worker.on('error', reporter.report('a worker failed', name));
      const reportFailure = reporter.report('a job failed', name);
      worker.on('failed', (_job, error) => reportFailure(error));
      return { close: () => worker.close() };
    },
    countJobs: () =>
      Promise.all(
        [...queues].map(async ([name, queue]) => ({
          queue: name,
          counts: await queue.getJobCounts(...countedStates),
        })),
      ),
    async close() {
      reporter.leave();
      await disconnect();
    },
  };
}
