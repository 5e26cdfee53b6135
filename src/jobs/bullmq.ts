import {
  createPostgresBackend,
  createRedisBackend,
  withBackend,
  type BackendFactory,
  type IQueueBackend,
  type JobJson,
  type PostgresConnectionOptions,
  type Processor,
  type Queue,
  type Worker,
  type WorkerOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { asynchronousCommit, guardConnections, type Connection } from '../database/pool.js';
import type { Logger } from '../platform/log.js';

/** What both stores can do alike, by one conformance suite. */
export type BullmqQueue<Data> = Pick<
  Queue<Data>,
  | 'add'
  | 'addBulk'
  | 'pause'
  | 'resume'
  | 'drain'
  | 'upsertJobScheduler'
  | 'removeJobScheduler'
  | 'getJobCounts'
  | 'close'
>;
export type BullmqWorker = Pick<Worker, 'close'>;

/** BullMQ on one of its stores. */
export interface Bullmq {
  createQueue<Data>(name: string): BullmqQueue<Data>;
  createWorker<Data>(
    name: string,
    processor: Processor<Data>,
    options: Omit<WorkerOptions, 'connection'>,
  ): BullmqWorker;
  /** Ends the connections; queues and workers are closed before. */
  close(): Promise<void>;
}

const poolSize = 12;
const connectTimeoutMs = 5_000;
const statementTimeoutMs = 15_000;
const silenceTimeoutMs = 20_000;

export function connectBullmq(
  redisUrl: string | null,
  connection: Connection,
  log: Logger,
): Bullmq {
  return redisUrl === null ? onPostgres(connection, log) : onRedis(redisUrl, log);
}

/** In the schema `bullmq`, through one pool for all queues. */
function onPostgres(connection: Connection, log: Logger): Bullmq {
  const pool = new pg.Pool({
    ...connection,
    max: poolSize,
    // A job that is lost is made again by the sweeper.
    options: `-c search_path=bullmq ${asynchronousCommit}`,
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
  return bind(createWholeMillisecondsBackend, client, reporter, () => pool.end());
}

/**
 * PostgreSQL with every delay rounded up to whole milliseconds: BullMQ's functions there take no
 * fraction, Redis does.
 */
const createWholeMillisecondsBackend: typeof createPostgresBackend = (...parameters) => {
  const backend = createPostgresBackend(...parameters);
  const addJob = backend.addJob.bind(backend);
  const addJobs = backend.addJobs.bind(backend);
  const moveToDelayed = backend.moveToDelayed.bind(backend);
  backend.addJob = (job, ...rest) => addJob(withWholeDelay(job), ...rest);
  backend.addJobs = (entries) =>
    addJobs(entries.map((entry) => ({ ...entry, job: withWholeDelay(entry.job) })));
  backend.moveToDelayed = (jobId, timestamp, delay, ...rest) =>
    moveToDelayed(jobId, timestamp, Math.ceil(delay), ...rest);
  return backend;
};

function withWholeDelay(job: JobJson): JobJson {
  const { delay = 0 } = job.opts;
  return { ...job, opts: { ...job.opts, delay: Math.ceil(delay) } };
}

/** Redis must run with `maxmemory-policy noeviction`. */
function onRedis(redisUrl: string, log: Logger): Bullmq {
  // Workers block on this connection, also while Redis restarts.
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const reporter = createReporter(log);
  redis.on('error', reporter.report('the connection to Redis failed'));
  return bind(createRedisBackend, redis, reporter, async () => {
    // A Redis that is gone would never hear the good-bye.
    if (redis.status === 'ready') await redis.quit().catch(() => undefined);
    redis.disconnect();
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

function bind<Backend extends IQueueBackend, Client>(
  factory: BackendFactory<Backend, Client>,
  connection: Client,
  reporter: Reporter,
  disconnect: () => Promise<void>,
): Bullmq {
  const classes = withBackend(factory);
  return {
    createQueue<Data>(name: string) {
      const queue = new classes.Queue<Data>(name, { connection });
      queue.on('error', reporter.report('a queue failed', name));
      return queue;
    },
    createWorker<Data>(
      name: string,
      processor: Processor<Data>,
      options: Omit<WorkerOptions, 'connection'>,
    ) {
      const worker = new classes.Worker<Data>(name, processor, { connection, ...options });
      worker.on('error', reporter.report('a worker failed', name));
      const reportFailure = reporter.report('a job failed', name);
      worker.on('failed', (_job, error) => reportFailure(error));
      return worker;
    },
    async close() {
      reporter.leave();
      await disconnect();
    },
  };
}
