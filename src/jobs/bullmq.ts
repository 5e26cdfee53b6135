import { setTimeout as sleep } from 'node:timers/promises';
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
  type QueueOptions,
  type Worker,
  type WorkerOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import {
  applicationName,
  asynchronousCommit,
  sessionOpener,
  type Connection,
} from '../database/pool.js';
import type { Logger } from '../platform/log.js';
import { noTracing, type Tracing } from '../platform/tracing/tracing.js';
import { createErrorLog, type ErrorLog } from './error-log.js';

/** The methods that work on PostgreSQL and Redis alike (test/jobs/conformance.test.ts). */
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

/** BullMQ on PostgreSQL or Redis. */
export interface Bullmq {
  createQueue<Data>(name: string): BullmqQueue<Data>;
  createWorker<Data>(
    name: string,
    processor: Processor<Data>,
    options: Omit<WorkerOptions, 'connection'>,
  ): BullmqWorker;
  /**
   * Resolves when the queues and workers created so far are connected to PostgreSQL. Rejects if this
   * fails: BullMQ remembers it, and they would never work. On Redis they wait themselves, and this
   * resolves at once.
   */
  ready(): Promise<void>;
  /** Closes the connections, after the queues and workers. */
  close(): Promise<void>;
}

const poolSize = 12;
const connectTimeoutMs = 5_000;
const statementTimeoutMs = 15_000;
const silenceTimeoutMs = 20_000;
/** The pause between two attempts of a worker to fetch a job. */
const fetchRetryMs = 1_000;

export function connectBullmq(
  redisUrl: string | null,
  connection: Connection,
  log: Logger,
  { jobTelemetry: telemetry }: Pick<Tracing, 'jobTelemetry'> = noTracing,
): Bullmq {
  const traced = telemetry === null ? {} : { telemetry };
  return redisUrl === null
    ? connectPostgres(connection, log, traced)
    : connectRedis(redisUrl, log, traced);
}

type Traced = Pick<QueueOptions, 'telemetry'>;

/** Uses the schema `bullmq` and one connection pool for all queues. */
function connectPostgres(connection: Connection, log: Logger, traced: Traced): Bullmq {
  const pool = new pg.Pool({
    ...connection,
    max: poolSize,
    application_name: applicationName('queues'),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    onConnect: sessionOpener(
      {
        search_path: 'bullmq',
        statement_timeout: statementTimeoutMs,
        // A crash may lose the latest jobs; the sweeper adds them again.
        ...asynchronousCommit,
      },
      silenceTimeoutMs,
    ),
  });
  // Each queue and each worker adds one, which is no leak.
  pool.setMaxListeners(0);
  const errorLog = createErrorLog(log);
  pool.on('error', errorLog.report('an idle queue connection was lost'));
  // BullMQ accepts a pool, but its type requires an index signature that `pg.Pool` lacks.
  const client = pool as unknown as PostgresConnectionOptions;
  return createBullmq(createAdaptedBackend, { connection: client, ...traced }, errorLog, () =>
    pool.end(),
  );
}

/**
 * BullMQ's PostgreSQL backend with delays rounded up, and a pause after a failed fetch
 * (src/decisions.md).
 */
const createAdaptedBackend: typeof createPostgresBackend = (...parameters) => {
  const backend = createPostgresBackend(...parameters);
  const addJob = backend.addJob.bind(backend);
  const addJobs = backend.addJobs.bind(backend);
  const moveToActive = backend.moveToActive.bind(backend);
  const moveToDelayed = backend.moveToDelayed.bind(backend);
  backend.addJob = (job, ...rest) => addJob(withRoundedDelay(job), ...rest);
  backend.addJobs = (entries) =>
    addJobs(entries.map((entry) => ({ ...entry, job: withRoundedDelay(entry.job) })));
  backend.moveToActive = async (...fetch) => {
    try {
      return (await moveToActive(...fetch)) as unknown[];
    } catch (error) {
      await sleep(fetchRetryMs);
      throw error;
    }
  };
  backend.moveToDelayed = (jobId, timestamp, delay, ...rest) =>
    moveToDelayed(jobId, timestamp, Math.ceil(delay), ...rest);
  return backend;
};

function withRoundedDelay(job: JobJson): JobJson {
  const { delay = 0 } = job.opts;
  return { ...job, opts: { ...job.opts, delay: Math.ceil(delay) } };
}

/** The state that Redis reports. */
interface RedisState {
  /** Why it does not answer, without the URL; null if it does. */
  error: string | null;
  /** The policy; null if it is hidden. */
  evictionPolicy: string | null;
}

/** Asks Redis once. */
export async function pingRedis(redisUrl: string, timeoutMs: number): Promise<RedisState> {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason: string | null = null;
  redis.on('error', (error: NodeJS.ErrnoException) => (reason ??= error.code ?? error.message));
  try {
    await redis.connect();
    await redis.ping();
    const memory = await redis.info('memory').catch(() => '');
    const [, evictionPolicy = null] = /^maxmemory_policy:(\S+)/m.exec(memory) ?? [];
    return { error: reason, evictionPolicy };
  } catch (error) {
    return { error: reason ?? (error as Error).message, evictionPolicy: null };
  } finally {
    redis.disconnect();
  }
}

/** Redis must run with `maxmemory-policy noeviction`. */
function connectRedis(redisUrl: string, log: Logger, traced: Traced): Bullmq {
  // No retry limit: BullMQ requires it for workers, which wait while Redis restarts.
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const errorLog = createErrorLog(log);
  redis.on('error', errorLog.report('the connection to Redis failed'));
  const bullmq = createBullmq(
    createRedisBackend,
    { connection: redis, ...traced },
    errorLog,
    async () => {
      // QUIT would hang if Redis is down.
      if (redis.status === 'ready') await redis.quit().catch(() => undefined);
      redis.disconnect();
    },
  );
  return { ...bullmq, ready: () => Promise.resolve() };
}

function createBullmq<Backend extends IQueueBackend, Client>(
  factory: BackendFactory<Backend, Client>,
  shared: { connection: Client } & Traced,
  errorLog: ErrorLog,
  disconnect: () => Promise<void>,
): Bullmq {
  const classes = withBackend(factory);
  const members: { waitUntilReady(): Promise<unknown> }[] = [];
  return {
    createQueue<Data>(name: string) {
      const queue = new classes.Queue<Data>(name, shared);
      members.push(queue);
      queue.on('error', errorLog.report('a queue failed', name));
      return queue;
    },
    createWorker<Data>(
      name: string,
      processor: Processor<Data>,
      options: Omit<WorkerOptions, 'connection'>,
    ) {
      const worker = new classes.Worker<Data>(name, processor, { ...shared, ...options });
      members.push(worker);
      worker.on('error', errorLog.report('a worker failed', name));
      const reportFailure = errorLog.report('a job failed', name);
      worker.on('failed', (_job, error) => reportFailure(error));
      return worker;
    },
    async ready() {
      await Promise.all(members.map((member) => member.waitUntilReady()));
    },
    async close() {
      errorLog.close();
      await disconnect();
    },
  };
}
