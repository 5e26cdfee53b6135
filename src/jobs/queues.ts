import { DelayedError, type Job, type JobType } from 'bullmq';
import pTimeout from 'p-timeout';
import type { Clock } from '../platform/clock.js';
import type { Bullmq } from './bullmq.js';

/** The data of a job: ids and counters, never the contents of a row. */
type JobData = Record<string, string | number | string[]>;

/** Expires the hold. `expiresAt` is in milliseconds since the epoch. */
export type ExpiryJob = { bookingId: string; expiresAt: number };

/** Sends the due webhook deliveries, at `dueAt` (milliseconds since the epoch) or later. */
export type WebhookJob = { subscriptionIds: string[]; dueAt: number };

/** Sends the mails that are due, at `dueAt` (milliseconds since the epoch) or later. */
export type MailJob = { dueAt: number };

/** Fetches the watched calendars that are due. */
export type CalendarJob = Record<string, never>;

export interface NewJob<Data extends JobData> {
  name: string;
  data: Data;
  /** A job is not added while another one has its id. BullMQ allows no colons and no plain number. */
  id: string;
  delayMs: number;
}

export interface JobQueue<Data extends JobData> {
  /**
   * Adds jobs in few round trips. Rejects when the store does not accept them in time; it may still
   * do so later.
   */
  add(jobs: NewJob<Data>[]): Promise<void>;
  /**
   * Adds a job each `everyMs` (whole milliseconds), one for all processes that ask for it. Rejects as
   * `add` does.
   */
  addEvery(everyMs: number, job: Pick<NewJob<Data>, 'name' | 'data'>): Promise<void>;
  /** By state. */
  countJobs(): Promise<{ queue: string; counts: Record<string, number> }>;
  close(): Promise<void>;
}

export const expiryQueueName = 'hold-expiry';
export const mailQueueName = 'mail';
export const calendarQueueName = 'calendars';

/**
 * Two queues with workers of their own, so that receivers that are down or new do not delay the others. A
 * receiver whose last attempt did not succeed is in the retries queue only, also with new deliveries.
 */
export const webhookQueueNames = {
  firstAttempts: 'webhook-first-attempts',
  retries: 'webhook-retries',
} as const;

export type WebhookQueue = keyof typeof webhookQueueNames;

export const webhookQueues: readonly WebhookQueue[] = ['firstAttempts', 'retries'];

/** `healthy`: whether the last attempt succeeded. */
export function webhookQueueOf({ healthy }: { healthy: boolean }): WebhookQueue {
  return healthy ? 'firstAttempts' : 'retries';
}

export type Queues = ReturnType<typeof createQueues>;

export function createQueues(bullmq: Bullmq) {
  const expiry = createJobQueue<ExpiryJob>(bullmq, expiryQueueName);
  const firstAttempts = createJobQueue<WebhookJob>(bullmq, webhookQueueNames.firstAttempts);
  const retries = createJobQueue<WebhookJob>(bullmq, webhookQueueNames.retries);
  const mail = createJobQueue<MailJob>(bullmq, mailQueueName);
  const calendars = createJobQueue<CalendarJob>(bullmq, calendarQueueName);
  const all = [expiry, firstAttempts, retries, mail, calendars];
  return {
    expiry,
    webhooks: { firstAttempts, retries },
    mail,
    calendars,
    countJobs: () => Promise.all(all.map((queue) => queue.countJobs())),
    async close() {
      await Promise.all(all.map((queue) => queue.close()));
    },
  };
}

const countedStates: JobType[] = ['waiting', 'active', 'delayed', 'prioritized'];
const bulkSize = 1_000;
/** The limit of adding: BullMQ retries without end while its store is down. */
const addTimeoutMs = 5_000;
/** Jobs fail when the database does: they run again after 1, 2 and 4 s, then the sweeper repairs. */
const jobOptions = {
  attempts: 4,
  backoff: { type: 'exponential', delay: 1_000 },
  removeOnComplete: true,
  removeOnFail: true,
};

function createJobQueue<Data extends JobData>(bullmq: Bullmq, name: string): JobQueue<Data> {
  const queue = bullmq.createQueue<Data>(name);
  const addBulk = (jobs: NewJob<Data>[]): Promise<unknown> => {
    const entries = jobs.map(bullmqJob);
    const [first] = entries;
    // On PostgreSQL a bulk creates temporary tables: for one job 3.0 ms instead of 0.6.
    return entries.length === 1 && first !== undefined
      ? queue.add(first.name, first.data, first.opts)
      : queue.addBulk(entries);
  };
  const inTime = (adding: Promise<unknown>): Promise<unknown> =>
    pTimeout(adding, {
      milliseconds: addTimeoutMs,
      message: `queue ${name} does not accept jobs`,
    });
  return {
    async add(jobs) {
      for (let start = 0; start < jobs.length; start += bulkSize) {
        await inTime(addBulk(jobs.slice(start, start + bulkSize)));
      }
    },
    async addEvery(everyMs, job) {
      const template = { name: job.name as never, data: job.data as never, opts: jobOptions };
      await inTime(queue.upsertJobScheduler(job.name as never, { every: everyMs }, template));
    },
    countJobs: async () => ({ queue: name, counts: await queue.getJobCounts(...countedStates) }),
    close: () => queue.close(),
  };
}

/** BullMQ infers the types of a queue's names and data in a way that generic code cannot meet. */
function bullmqJob({ name, data, id, delayMs }: NewJob<JobData>) {
  const opts = { jobId: id, delay: Math.max(0, delayMs), ...jobOptions };
  return { name: name as never, data: data as never, opts };
}

export function expiryJob(bookingId: string, expiresAt: Date, clock: Clock): NewJob<ExpiryJob> {
  return {
    name: 'expire',
    id: bookingId,
    data: { bookingId, expiresAt: expiresAt.getTime() },
    delayMs: expiresAt.getTime() - clock.now(),
  };
}

/** The tolerance between the clocks of queue and database; an early job finds nothing. */
const clockToleranceMs = 50;

export function webhookJob(
  subscriptionIds: string[],
  id: string,
  later?: Later,
): NewJob<WebhookJob> {
  const { dueAt, delayMs } = dueTime(later);
  return { name: 'deliver', id, data: { subscriptionIds, dueAt }, delayMs };
}

export function mailJob(id: string, later?: Later): NewJob<MailJob> {
  const { dueAt, delayMs } = dueTime(later);
  return { name: 'send', id, data: { dueAt }, delayMs };
}

export function calendarJob(id: string): NewJob<CalendarJob> {
  return { name: 'fetch', id, data: {}, delayMs: 0 };
}

/** The time of a job that does not run at once: after `now` (milliseconds since the epoch). */
interface Later {
  now: number;
  delaySeconds: number;
}

function dueTime(later: Later | undefined): { dueAt: number; delayMs: number } {
  const delayMs = later === undefined ? 0 : later.delaySeconds * 1000 + clockToleranceMs;
  return { delayMs, dueAt: later === undefined ? 0 : later.now + delayMs };
}

/**
 * Delays a job that runs before `dueAt` (milliseconds since the epoch): the database's clock decides, and
 * the queue's may be ahead. Throws then, as BullMQ expects.
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
