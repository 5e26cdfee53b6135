import pTimeout from 'p-timeout';
import type { MailSettings } from './config/validators.js';
import type { Context } from './context.js';
import { asynchronousCommit, createDatabase, createPool } from './database/pool.js';
import { connectBullmq } from './jobs/bullmq.js';
import { createDispatcher, type Dispatcher } from './jobs/dispatcher.js';
import { addDueJobs } from './jobs/due-jobs.js';
import { createErrorLog } from './jobs/error-log.js';
import { createMailDispatcher, type MailDispatcher } from './jobs/mail-dispatcher.js';
import { registerJobMetrics } from './jobs/metrics.js';
import { createQueues, type Queues } from './jobs/queues.js';
import { createSweeper, type Sweeper } from './jobs/sweeper.js';
import {
  createCalendarWorker,
  createExpiryWorker,
  createMailRetryQueue,
  createMailWorker,
  createWebhookWorkers,
  scheduleCalendarFetches,
} from './jobs/workers.js';
import type { Mailer } from './mail/mailer.js';

const exitPoolSize = 6;
/** The limit after a failed start: closing may wait for a store that is down. */
const stopTimeoutMs = 1_000;

/** Queues, workers and timers: the work that no request waits for. */
export interface Background {
  dispatcher: Dispatcher;
  mailDispatcher: MailDispatcher;
  /** null: this process lacks the settings of mail. */
  mailer: Mailer | null;
  sweeper: Sweeper;
  /** Resolves when jobs in progress have finished. */
  stop(): Promise<void>;
}

/** Starts the background work. A rejection leaves nothing running. */
export async function startBackground(context: Context): Promise<Background> {
  const { config, connection, log, tracing } = context;
  // This comes first: if it cannot be loaded, there is nothing to close.
  const createMailer = config.mail === null ? null : await loadMailer(config.mail, context);
  const bullmq = connectBullmq(config.redisUrl, connection, log, tracing);
  const queues = createQueues(bullmq);
  // A crash may lose an asynchronous commit. The work is then repeated, because its events are
  // still undispatched and its deliveries still due.
  const database = createDatabase(
    createPool(connection, log, { max: exitPoolSize, settings: asynchronousCommit, tracing }),
  );
  const dispatcher = createDispatcher({ ...context, database }, queues);
  const mailDispatcher = createMailDispatcher(context, queues);
  const mailer = createMailer?.(queues) ?? null;
  const sweeper = createSweeper(context, { dispatcher, mailDispatcher }, queues);
  const workers = [
    createExpiryWorker(bullmq, context),
    createWebhookWorkers(bullmq, queues, { ...context, database }),
    createCalendarWorker(bullmq, context),
    ...(mailer === null ? [] : [createMailWorker(bullmq, mailer, context)]),
  ];
  registerJobMetrics(context, queues);

  const reportUndispatched = createErrorLog(log).report(
    'event rows could not be dispatched; the sweeper tries again',
  );
  let isStopping = false;
  const unsubscribe = context.listener.subscribe('booking_events', {
    notified: dispatch,
    connected: dispatch,
    lost: () => undefined,
  });
  function dispatch(): void {
    for (const each of [dispatcher, mailDispatcher]) {
      each.dispatchAll().catch((error: unknown) => {
        // Events left undispatched by a stop are dispatched by another process, or after a restart.
        if (!isStopping) reportUndispatched(error as Error);
      });
    }
  }

  const stopDueJobs = addDueJobs(context, queues);

  const ready = bullmq.ready();
  ready.catch(() => undefined);
  const stop = async (): Promise<void> => {
    isStopping = true;
    unsubscribe();
    stopDueJobs();
    const closing = workers.map((worker) => worker.close());
    await sweeper.stop();
    await Promise.all(closing);
    await queues.close();
    await bullmq.close();
    await database.destroy();
  };
  try {
    await sweeper.start();
    await ready;
  } catch (error) {
    await pTimeout(stop(), { milliseconds: stopTimeoutMs, message: false }).catch(() => undefined);
    throw error;
  }
  // A store that is down does not delay the start: this is not awaited.
  scheduleCalendarFetches(queues).catch((error: unknown) => {
    if (isStopping) return;
    log.warn({ err: error }, 'watched calendars have no schedule yet; the sweeper adds their jobs');
  });
  return { dispatcher, mailDispatcher, mailer, sweeper, stop };
}

/** Imports what renders and sends mails; a process without the settings of mail does not need it. */
async function loadMailer(
  { smtp }: MailSettings,
  context: Context,
): Promise<(queues: Queues) => Mailer> {
  const [{ createMailer }, { createMailSender }] = await Promise.all([
    import('./mail/mailer.js'),
    import('./mail/sender.js'),
  ]);
  return (queues) =>
    createMailer({
      ...context,
      mailSender: createMailSender(smtp),
      retryQueue: createMailRetryQueue(queues, context),
    });
}
